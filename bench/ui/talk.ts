import { writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import type { UiPlace } from './uiPlace.ts';
import { type Talker, toTalkerPath } from './uiHome.ts';

export const letSay = (place: UiPlace, talker: Talker, lines: number): void =>
  writeFileSync(toTalkerPath(place.home, talker), String(lines));

/** A job of the talker, at work; answers its id. */
export async function startTalker(place: UiPlace, talker: Talker): Promise<string> {
  letSay(place, talker, 0);
  const { client } = place;
  const { jobId } = await client.createJob({
    type: 'job',
    workflowPath: `workflows/${talker}.md`,
    params: { description: `An agent that is ${talker}` },
  });
  while (!(await client.job(jobId)).state.includes('working.inSession')) await wait(20);
  return jobId;
}
