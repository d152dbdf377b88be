/**
 * Opening the data connection from the server's end: PORT (RFC 959) or EPRT (RFC 2428).
 */
import { listen, send, type DataHandle, type Script } from '../script.ts'

/** Listens, and tells the server where. */
export function* active(): Script<DataHandle> {
  const { data, address, family, port } = yield* listen()
  if (family === 4) {
    const numbers = [...address.split('.'), port >> 8, port & 255].join(',')
    yield* send('PORT', numbers, () => ({ advice: "the server will not dial back; try dataMode: 'passive'" }))
  } else {
    yield* send('EPRT', `|2|${address}|${port}|`)
  }
  return data
}
