import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ProviderEventKind } from '../../../src/contract/schema/forge/pr.ts';
import { item, phase, SteppedJob, workflow } from '../../support/charts/jobSteps.ts';
import { seededRandom } from '../../support/charts/randomWalk.ts';

const test = suite('job: no false stop in healthy lives');

const LIVES = 200;
const EPISODES = 3;
const LOOP = workflow([phase('coding'), phase('review'), phase('done')]);

/** A job in its coding phase, whose files are what `files` counts. */
class Life {
  readonly job = new SteppedJob(LOOP).run();
  readonly #random: () => number;
  #files = 0;
  #tests = 0;

  constructor(seed: number) {
    this.#random = seededRandom(seed);
    this.job.createPr(1);
  }

  upTo(most: number): number {
    return 1 + Math.floor(this.#random() * most);
  }

  pick<T>(of: readonly T[]): T {
    return of[Math.floor(this.#random() * of.length)] as T;
  }

  changeFiles(): void {
    this.#files += 1;
  }

  /** Other tests fail from now on. */
  changeTests(): void {
    this.#tests += 1;
  }

  end(failing = false): void {
    const name = `test ${this.#tests}`;
    this.job.end('end_turn', null, {
      work: `files ${this.#files}`,
      ...(failing ? { failing: { hash: name, count: 1, first: name } } : {}),
    });
  }

  /** From coding through review back to coding. */
  round(failing = false): void {
    this.end(failing);
    this.job.goto('coding');
    this.end();
  }

  /** Awaits an event in the phase, is woken by it, and works again. */
  wake(kind: ProviderEventKind, text = ''): void {
    this.job.awaitEvent();
    this.end();
    this.job.prEvent(kind, 1, text);
    this.job.run();
  }
}

/** Closes them one after another in review; the files stay the same. */
function closeItems(life: Life, count: number): void {
  for (let closed = 0; closed < count; closed++) {
    const items = Array.from({ length: count }, (_, n) =>
      item(`i-${n}`, n <= closed ? 'complete' : 'pending'),
    );
    life.end();
    life.job.tool('set_work_items', { items });
    life.job.goto('coding');
    life.end();
  }
  life.job.tool('set_work_items', { items: [] });
}

/** What happens in good jobs, each from coding to coding. */
const HEALTHY: Readonly<Record<string, (life: Life) => void>> = {
  'work items, closed in sequence through the same phases': (life) =>
    closeItems(life, life.upTo(10)),
  'ten work items, closed one after another': (life) => closeItems(life, 10),
  'six review comments that are answered without a change': (life) => {
    for (let n = 1; n <= 6; n++) life.wake('commented', `question ${n}`);
  },
  'a storm of comments, many while a session runs': (life) => {
    for (let n = 5; n > 0; n--) {
      for (let more = life.upTo(3); more > 0; more--)
        life.job.prEvent('commented', 1, `note ${n}.${more}`);
      life.wake(life.pick(['commented', 'review_thread'] as const), `question ${n}`);
    }
  },
  'a long suite of tests that is fixed one test after another': (life) => {
    for (let n = 4 + life.upTo(2); n > 0; n--) {
      life.changeFiles();
      life.changeTests();
      life.end(true);
      life.job.goto('coding');
      life.end();
    }
  },
  'review comments that are answered without a change': (life) => {
    for (let n = life.upTo(6); n > 0; n--)
      life.wake(life.pick(['commented', 'changes_requested'] as const), `question ${n}`);
  },
  'rounds of coding and review that change files': (life) => {
    for (let n = life.upTo(6); n > 0; n--) {
      life.changeFiles();
      life.round();
    }
  },
  'failing checks, each of which is fixed': (life) => {
    for (let n = life.upTo(6); n > 0; n--) {
      life.wake(life.pick(['check_failed', 'conflict'] as const));
      life.changeFiles();
    }
  },
  'one flaky check that needed no change': (life) => {
    life.wake('check_failed');
    life.changeFiles();
  },
  'tests that fail, others each time': (life) => {
    for (let n = life.upTo(6); n > 0; n--) {
      life.changeFiles();
      life.changeTests();
      life.round(true);
    }
  },
  'a review that found nothing to change once': (life) => {
    life.changeFiles();
    life.round();
    life.round();
    life.changeFiles();
  },
  'reports of each round as artefacts': (life) => {
    for (let n = life.upTo(6); n > 0; n--) {
      life.changeFiles();
      const sha256 = `sha ${life.upTo(1_000_000)}`;
      const rest = { id: `${sha256} ${n}`, title: 't', mime: 'text/plain', size: 1 };
      life.job.tool('post_artifact', { ...rest, kind: 'report-md', sha256 });
      life.round();
    }
  },
  'a phase that a person has run again': (life) => {
    for (let n = life.upTo(6); n > 0; n--) {
      life.job.awaitEvent();
      life.end();
      life.job.rerun('coding');
      life.job.run();
    }
  },
  'messages of a person, answered without a change': (life) => {
    for (let n = life.upTo(6); n > 0; n--) {
      life.job.awaitEvent();
      life.end();
      life.job.message(`question ${n}`);
      life.job.run();
    }
  },
  'a wait that a person ends': (life) => {
    for (let n = life.upTo(6); n > 0; n--) {
      life.job.awaitEvent();
      life.end();
      life.job.resume();
      life.job.run();
    }
  },
};

const names = Object.keys(HEALTHY);

/** Lives a healthy life; answers which episodes it had. */
function live(life: Life): string[] {
  const had: string[] = [];
  for (let n = 0; n < EPISODES; n++) {
    const name = life.pick(names);
    had.push(name);
    HEALTHY[name]?.(life);
    if (life.job.at !== 'working.inSession') break;
  }
  return had;
}

test(`${LIVES} healthy lives: none is stopped, and every kind of episode occurs (JOB-16)`, () => {
  const had = new Set<string>();
  for (let seed = 1; seed <= LIVES; seed++) {
    const life = new Life(seed);
    const episodes = live(life);
    for (const name of episodes) had.add(name);
    assert.is(life.job.at, 'working.inSession', `seed ${seed}: ${episodes.join('; ')}`);
  }
  assert.equal([...had].toSorted(), names.toSorted());
});

const LOOPERS: readonly (readonly [rule: string, times: number, go: (life: Life) => void])[] = [
  ['state', 3, (life) => life.round()],
  [
    'tests',
    4,
    (life) => {
      life.changeFiles();
      life.round(true);
    },
  ],
  ['wakes', 4, (life) => life.wake('check_failed')],
];

for (const [rule, times, go] of LOOPERS)
  test(`after a healthy life a looper is parked at its loop: ${rule} at ${times} (JOB-16)`, () => {
    for (let seed = 1; seed <= 3; seed++) {
      const life = new Life(seed);
      live(life);
      life.job.message('please continue');
      life.changeFiles();
      life.changeTests();
      // The first time that a job waits it was not woken yet.
      if (rule === 'wakes') life.wake('check_failed');
      for (let n = 0; n < 10 && life.job.at === 'working.inSession'; n++) go(life);
      assert.is(life.job.at, 'parked.developer', `seed ${seed}`);
      const { circle } = life.job.context.parked ?? {};
      assert.equal([circle?.rule, circle?.times], [rule, times], `seed ${seed}`);
    }
  });

test.run();
