// A reading thread that runs from the sources, but the check of an answer with a marker never ends: no accepted
// schema makes it take that long.
import work from './reading-thread.mjs';

export default (task) => {
  if (task.step === 'check' && task.answer.includes('check without an end')) for (;;);
  return work(task);
};
