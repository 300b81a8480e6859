// The floor of what a client can cost: sends statements that are ready in memory through the client's own
// driver, one after the other, and does nothing else. Its job: { connect, file, warmup, seconds }; what it
// does in the warm-up is not counted.
import fs from 'node:fs';
import { connectLibpq, nowNs, zeroTerminated } from '../ibench.mjs';

const { connect, file, warmup, seconds } = JSON.parse(process.argv[2]);
const texts = fs
  .readFileSync(file, 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => zeroTerminated(line.slice(0, -1)));
const connection = connectLibpq(connect);

sendFor(warmup);
const cpuBefore = process.cpuUsage();
const sent = sendFor(seconds);
const cpu = process.cpuUsage(cpuBefore);
connection.close();
console.log(JSON.stringify({ ...sent, cpuS: (cpu.user + cpu.system) / 1e6 }));

function sendFor(length) {
  const startNs = nowNs();
  let statements = 0;
  let endNs = startNs;
  while (endNs < startNs + length * 1e9) {
    const text = texts[statements++ % texts.length];
    connection.sendText(text, text.bytes.length - 1);
    connection.receive();
    endNs = nowNs();
  }
  return { statements, seconds: (endNs - startNs) / 1e9 };
}
