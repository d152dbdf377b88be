/**
 * Bytes as the body of a Response: nothing is read before somebody asks for it.
 */
import { ReadableStream, type ReadableByteStreamController } from 'node:stream/web'
import type { Call } from './call.ts'

/**
 * The chunks as a byte stream. Its end ends the call, and cancelling it cancels the call. A failure is a
 * `TypeError` with the `FtpError` as its cause, and an aborted call fails with the reason of its signal:
 * both as the bodies of `fetch` do.
 */
export function bodyStream(chunks: AsyncIterator<unknown>, call: Call): ReadableStream<Uint8Array> {
  const { signal } = call
  let over = false
  let onAbort = (): void => undefined
  const settle = (): void => {
    over = true
    signal.removeEventListener('abort', onAbort)
  }
  const fail = (controller: ReadableByteStreamController, error: unknown): void => {
    if (over) return
    settle()
    controller.error(signal.aborted ? signal.reason : new TypeError('terminated', { cause: error }))
    call.cancel(error)
  }
  return new ReadableStream({
    type: 'bytes',
    start: (controller) => {
      // Also where nobody is reading at the moment.
      onAbort = () => fail(controller, signal.reason)
      signal.addEventListener('abort', onAbort, { once: true })
      if (signal.aborted) onAbort()
    },
    pull: async (controller) => {
      try {
        const chunk = await nextChunk(chunks)
        if (over) return
        if (chunk !== undefined) return controller.enqueue(ownMemory(chunk))
        settle()
        controller.close()
        // A reader with a buffer of its own gets it back only so.
        controller.byobRequest?.respond(0)
        call.end()
      } catch (error) {
        fail(controller, error)
      }
    },
    cancel: (reason: unknown) => {
      settle()
      call.cancel(reason)
    },
  })
}

/** The next chunk that is not empty: a byte stream takes no empty ones. */
async function nextChunk(chunks: AsyncIterator<unknown>): Promise<Uint8Array | undefined> {
  for (;;) {
    const { done, value } = await chunks.next()
    if (done === true) return undefined
    if (value instanceof Uint8Array && value.length > 0) return value
  }
}

/** A byte stream takes the whole memory of its chunks away, which the chunks of a download share. */
function ownMemory(chunk: Uint8Array): Uint8Array {
  return chunk.length === chunk.buffer.byteLength ? chunk : new Uint8Array(chunk)
}
