/**
 * Lets Node import the TypeScript of `test/`, whose server starter serves here too. A Node that strips types by
 * itself needs nothing; an older one gets a hook around the compiler.
 */
import { readFile } from 'node:fs/promises'
import { register } from 'node:module'
import ts from 'typescript'

export function enableTypeScript() {
  if (process.features.typescript) return
  register(import.meta.url)
}

/** @type {import('node:module').LoadHook} */
export async function load(url, context, next) {
  if (!url.startsWith('file:') || !url.endsWith('.ts')) return next(url, context)
  const { outputText } = ts.transpileModule(await readFile(new URL(url), 'utf8'), {
    compilerOptions: {
      module: ts.ModuleKind.ESNext,
      target: ts.ScriptTarget.ES2022,
      verbatimModuleSyntax: true,
    },
  })
  return { format: 'module', source: outputText, shortCircuit: true }
}
