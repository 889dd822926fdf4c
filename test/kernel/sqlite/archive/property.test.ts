import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ArchiveStage, type Life, logLine, stateFrame } from '../../../support/archiveStage.ts';

const test = suite('archives: random lives are read back equal');

/** Numbers that are the same in every run: a failure names the seed. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const TEXTS = ['', '\n', '\u2028', '\ud800', '"},"data":{', '😀', '\u0000', '{"$blob":"0"}', '\\'];

function randomLife(next: (below: number) => number): Life {
  const text = () => Array.from({ length: next(5) }, () => TEXTS[next(TEXTS.length)]).join('x');
  return {
    events: Array.from({ length: 1 + next(120) }, () => {
      if (next(12) === 0) return { type: 'kernel.recovered', effects: [text()] };
      if (next(12) === 0)
        return { type: 'effect.givenUp', why: 'restarts-without-progress', error: text() };
      const large = next(20) === 0 ? 'z'.repeat(8_000 + next(3) * 100_000) : text();
      return { type: 'tool.report', text: large, 1: next(9), deep: { '-0': -0, list: [text()] } };
    }),
    frames: Array.from({ length: next(1_500) }, () =>
      next(15) === 0
        ? stateFrame(text())
        : logLine(text(), next(9) === 0 ? (['gate', text()][next(2)] ?? null) : null),
    ),
  };
}

for (let seed = 1; seed <= 6; seed++)
  test(`seed ${seed}`, async () => {
    using stage = new ArchiveStage();
    const next = random(seed);
    for (let run = 0; run < 1 + next(3); run++) {
      stage.live('j', randomLife(next));
      const page = 1 + next(400);
      const before = stage.seen('j', page);
      assert.ok('bytes' in (await stage.store.archiver.archive('j')));
      assert.equal(stage.seen('j', page), before, `run ${run}, pages of ${page}`);
    }
    assert.equal(stage.store.integrity(), []);
  });

test.run();
