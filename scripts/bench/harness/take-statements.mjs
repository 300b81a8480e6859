// The other end of a pacer's queue: takes each statement as an inserter does, notes how late it is, and says
// at once that it is finished. Prints the lateness of all, in microseconds. Descriptors: 3 the queue, 4 the
// acknowledgements.
import { nowNs, QueueReceiver } from '../ibench.mjs';

const queue = new QueueReceiver(3, 4);
const latenessUs = [];
while (queue.take()) {
  latenessUs.push((nowNs() - queue.dueNs) / 1000);
  queue.finished();
}
console.log(JSON.stringify(latenessUs));
