// A scan thread that gets lost as the page says. It imports no sources, so it starts at once.
import { parentPort } from 'node:worker_threads';

export default function loseScanThread({ id, body }) {
  parentPort.postMessage({ takenId: id });
  const { html } = JSON.parse(new TextDecoder().decode(body));
  switch (html) {
    case 'hang':
      for (;;);
    case 'exit':
      return process.exit(1);
    case 'throw':
      throw new Error('a defect');
    case 'memory':
      for (const all = []; ;) all.push(new Array(1e5).fill(all.length));
    default:
      return {
        kind: 'scanned',
        outcome: { technologies: [], reasons: [], scannedBytes: html.length },
      };
  }
}
