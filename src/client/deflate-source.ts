/**
 * Data that go compressed (`MODE Z`).
 */
import { createDeflate } from 'node:zlib'

/** Packs chunks into a zlib stream; `onBytes` gets the number of bytes before packing. */
export async function* deflated(
  chunks: AsyncIterable<Uint8Array>,
  onBytes: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  const deflate = createDeflate()
  let bytes = 0
  const feed = async (): Promise<void> => {
    for await (const chunk of chunks) {
      // Waited for: the source may use its memory again as soon as it is asked for more.
      await new Promise<void>((resolve, reject) =>
        deflate.write(chunk, (error) => (error ? reject(error) : resolve())),
      )
      bytes += chunk.length
      onBytes(bytes)
    }
    deflate.end()
  }
  const feeding = feed().catch((error: unknown) => {
    deflate.destroy(error as Error)
  })
  try {
    for await (const packed of deflate) yield packed as Uint8Array
    await feeding
  } finally {
    deflate.destroy()
  }
}
