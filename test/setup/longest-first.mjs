// A jest sequencer: whole systems first, then real servers, then units. A long file that begins last leaves the other
// workers idle, and a fresh clone knows no durations of files.
import jestSequencer from '@jest/test-sequencer';

const Sequencer = jestSequencer.default ?? jestSequencer;
const KINDS = [/\.(?:e2e|full)-spec\.ts$/, /\.int-spec\.ts$/];

const rankOf = ({ path }) => {
  const rank = KINDS.findIndex((kind) => kind.test(path));
  return rank < 0 ? KINDS.length : rank;
};

export default class LongestFirst extends Sequencer {
  sort(tests) {
    return super.sort(tests).toSorted((one, other) => rankOf(one) - rankOf(other));
  }
}
