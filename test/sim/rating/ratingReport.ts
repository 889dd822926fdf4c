import { listBrokenTruths } from './ratingTruths.ts';
import { simulateRating } from './simulateRating.ts';

/** Jobs of one life. */
const JOBS = 40;

/** Lives from a seed on until so many phases were rated; false where something was not true. */
export async function ratingReport(from: number, ratings: number): Promise<boolean> {
  const startedAt = Date.now();
  const totals = { lives: 0, ratings: 0, skips: 0, pauses: 0, restarts: 0 };
  let failed = 0;
  for (let seed = from; totals.ratings < ratings; seed++) {
    const life = await simulateRating({ seed, jobs: JOBS });
    totals.lives += 1;
    totals.ratings += life.ratings;
    totals.skips += life.skips;
    totals.pauses += life.pauses;
    totals.restarts += life.restarts;
    const broken = listBrokenTruths(life);
    if (broken.length === 0) continue;
    failed += 1;
    console.log(`\nseed ${seed} FAILED; replay it with: npm run sim -- --rating 1 --seed ${seed}`);
    for (const sentence of broken) console.log(`  NOT TRUE that ${sentence}`);
  }
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
  console.log(`${JSON.stringify(totals)} in ${seconds} s, ${failed} failed`);
  return failed === 0;
}
