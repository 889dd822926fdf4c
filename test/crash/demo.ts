/**
 * npm run test:crash [-- --at-once 3] [-- --twice] [-- --campaign] [-- --review] [-- --loop] [-- --rating]
 *
 * The crash matrix over the whole demo: its job is played once for every fault point, with a kill
 * -9 there. With --twice the next process dies as well, right after its first commit, in the middle
 * of the recovery. With --campaign it is a campaign, with --review a job and a review of its pull
 * request, with --loop a job that loops without progress, with
 * --rating one whose phases are rated, at all of their points. Takes many minutes. The last line is a report as JSON; the exit
 * code is 1 when a point was missed or anything differs from the clean run.
 */
import { availableParallelism } from 'node:os';
import { playMatrix } from '../support/crash/crashMatrix.ts';
import { demoJob, ratedJob, loopJob, shortCampaign } from '../support/crash/crashScenario.ts';
import { CrashStage } from '../support/crash/crashStage.ts';
import {
  askedTooOften,
  flagsFirstVisit,
  openDecisionServer,
} from '../support/decisions/decisionServer.ts';
import { ReviewStage } from '../support/crash/reviewStage.ts';
import { toolFlags } from '../../scripts/toolFlags.ts';

/**
 * The point after the first commit of a process; where something was pending, that is the
 * recovery's.
 */
const AFTER_FIRST_COMMIT = '2';

const { values } = toolFlags({
  options: {
    'at-once': { type: 'string', default: String(availableParallelism() + 1) },
    twice: { type: 'boolean', default: false },
    campaign: { type: 'boolean', default: false },
    review: { type: 'boolean', default: false },
    loop: { type: 'boolean', default: false },
    rating: { type: 'boolean', default: false },
  },
});

const provider = await openDecisionServer(flagsFirstVisit);
const scenarios = {
  ...(values.campaign ? { campaign: shortCampaign } : {}),
  ...(values.loop ? { loop: loopJob } : {}),
  ...(values.rating ? { rating: ratedJob(provider.url) } : {}),
};
const [scenario = demoJob] = Object.values(scenarios);
const stage = values.review ? new ReviewStage() : new CrashStage(scenario);
try {
  const clean = await stage.play();
  console.log(
    `${clean.points.length} fault points; a clean run takes ${(clean.ms / 1000).toFixed(1)} s`,
  );
  let count = 0;
  const { missed, wrong, ...report } = await playMatrix(stage, clean, {
    atOnce: Number(values['at-once']),
    thenAt: values.twice ? [AFTER_FIRST_COMMIT] : [],
    onPlay(point, ms) {
      count += 1;
      console.log(
        `${String(count).padStart(4)}  ${(ms / 1000).toFixed(1).padStart(5)} s  ${point}`,
      );
    },
  });
  for (const text of wrong) console.log(`WRONG   ${text}`);
  for (const point of missed) console.log(`MISSED  ${point}`);
  console.log(JSON.stringify({ ...report, missed: missed.length, wrong: wrong.length }));
  wrong.push(...askedTooOften(provider.asked));
  process.exitCode = missed.length + wrong.length === 0 && clean.problems.length === 0 ? 0 : 1;
} finally {
  stage.remove();
  await provider[Symbol.asyncDispose]();
}
