import { QueueSender } from '../src/queue.ts';

/**
 * A process that sends as many records as it is told through the queue at descriptors 3 and 4, as fast
 * as the queue lets it, and ends with 0 when all were taken and 3 when the receiver has gone.
 */
const sender = new QueueSender(3, 4);
const records = Number(process.argv[2]);

for (let k = 0; k < records; k++) {
  if (sender.waitForRoom() === 0) process.exit(3);
  sender.put(k, 50, k * 0.5e9);
  if (!sender.flush()) process.exit(3);
}
