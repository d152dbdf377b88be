/** The same for each operand: one that fails does not keep the others from their turn. */
import { EXIT, type ExitCode } from './exit-code.ts'
import type { Invocation } from './invocation.ts'
import { exitCodeFor, reportError } from './report-error.ts'

/**
 * Does the work for one operand after the other. A single one may throw; of several each failure is said at
 * once, and the exit code is theirs where all have failed.
 */
export async function eachOperand(
  { operands, signal, terminal, values }: Invocation,
  work: (operand: string) => Promise<void>,
): Promise<ExitCode> {
  const failed: ExitCode[] = []
  for (const operand of operands) {
    try {
      await work(operand)
    } catch (error) {
      const inVain = signal.aborted || exitCodeFor(error) === EXIT.brokenPipe
      if (operands.length === 1 || inVain) throw error
      failed.push(reportError(error, terminal, { json: values.has('json'), about: operand }))
    }
  }
  const [first] = failed
  if (first === undefined) return EXIT.ok
  return failed.length === operands.length && failed.every((code) => code === first) ? first : EXIT.partial
}
