// What the producer and the workers have to agree on.

/** The name of the queue; its keys in Redis begin with it. */
export const QUEUE = 'ftp-mirror'

/** Where Redis is. BullMQ wants a command to wait for as long as Redis is away, rather than to fail. */
export const connection = {
  url: process.env.REDIS_URL ?? 'redis://127.0.0.1:6379',
  maxRetriesPerRequest: null,
}

/** Reads one setting in milliseconds. */
export function milliseconds(name, otherwise) {
  return Number(process.env[name] ?? otherwise)
}
