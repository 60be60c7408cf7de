// A reading thread that runs from the sources, but the check of an answer with a marker never ends: no accepted
// schema makes it take that long.
import work from './reading-thread.mjs';

const { runSteps } = await import(new URL('../src/threads/run-steps.ts', import.meta.url).href);
const hang = runSteps({
  check: () => {
    for (;;);
  },
});

export default (task) =>
  task.step === 'check' && task.answer.includes('check without an end') ? hang(task) : work(task);
