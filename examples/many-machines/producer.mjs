// Lists a folder of an FTP server and puts each file below it into the queue, as one job.
//
//   node producer.mjs ftp://ftp.example.com/pub/
//
// It may run again at any time: a file that is in the queue, or is done, is not put there twice.
import { createHash } from 'node:crypto'
import { Queue } from 'bullmq'
import { connect } from 'ftpwire'
import { connection, QUEUE } from './queue.mjs'

const [url] = process.argv.slice(2)
if (url === undefined) {
  console.error('Usage: node producer.mjs ftp://HOST/FOLDER/')
  process.exit(2)
}

const queue = new Queue(QUEUE, { connection })
const session = await connect(url, { password: process.env.FTP_PASSWORD })
let files = 0
try {
  for await (const { type, safe, path, size, modified } of session.walk()) {
    // A name such as "../x" is not safe: nobody should write a file where it leads.
    if (!safe) console.error(`left out, the name is not safe: ${JSON.stringify(path)}`)
    if (type !== 'file' || !safe) continue
    const data = { path, size, modified: modified?.toISOString() }
    // BullMQ ignores a job whose id it knows. The id stands for this version of the file: one that has changed
    // on the server is a new job, and its parts do not mix with those of the old one.
    const jobId = createHash('sha256')
      .update(JSON.stringify([url, data]))
      .digest('hex')
    await queue.add('file', data, { jobId, attempts: 8, backoff: { type: 'exponential', delay: 1000 } })
    files++
  }
  console.log(`${files} files listed`)
} finally {
  await session.close()
  await queue.close()
}
