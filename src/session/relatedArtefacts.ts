import type { RelatedArtefacts } from '../authoring/overlay/promptContext.ts';
import type { SubRunSpec } from '../schema/subRun.ts';
import type { RowReader } from '../durable/sqlite/rowReader.ts';
import { artefactsOf } from '../views/jobRows.ts';
import { subRunSpecs } from '../views/subRunSpecs.ts';

/** Name for the parent among the names of sub-runs. */
const PARENT = 'the campaign';

/** The sub-runs that one depends on, those that they depend on included. */
function dependenciesOf(own: SubRunSpec, all: readonly SubRunSpec[]): SubRunSpec[] {
  const names = new Set(own.dependsOn);
  for (const name of names)
    for (const next of all.find((one) => one.name === name)?.dependsOn ?? []) names.add(next);
  return all.filter(({ name }) => names.has(name) && name !== own.name);
}

/**
 * What the agents of a job may read besides its own artefacts: a sub-run those of its campaign's
 * parent and of all that it depends on, a parent those of its sub-runs.
 */
export function relatedArtefacts(
  rows: RowReader,
  { id, parentJobId }: { id: string; parentJobId: string | null },
): RelatedArtefacts[] {
  const ofSubRuns = (specs: readonly SubRunSpec[]): RelatedArtefacts[] =>
    specs.flatMap(({ name, jobId }) =>
      jobId === null ? [] : [{ of: name, artefacts: artefactsOf(rows, jobId) }],
    );
  const siblings = parentJobId === null ? [] : subRunSpecs(rows, parentJobId);
  const own = siblings.find(({ jobId }) => jobId === id);
  const found = [
    ...(parentJobId === null ? [] : [{ of: PARENT, artefacts: artefactsOf(rows, parentJobId) }]),
    ...(own ? ofSubRuns(dependenciesOf(own, siblings)) : []),
    ...ofSubRuns(subRunSpecs(rows, id)),
  ];
  return found.filter(({ artefacts }) => artefacts.length > 0);
}
