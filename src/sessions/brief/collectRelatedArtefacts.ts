import type { RelatedArtefacts } from '../../workflows/overlay/promptContext.ts';
import type { SubRunSpec } from '../../contract/schema/job/subRun.ts';
import type { RowReader } from '../../contract/records/rowReader.ts';
import { listJobArtefacts } from '../../jobs/views/jobRows.ts';
import { listSubRunSpecs } from '../../jobs/views/listSubRunSpecs.ts';

/** The parent's name among the names of sub-runs. */
const PARENT = 'the campaign';

function collectDependencies(own: SubRunSpec, all: readonly SubRunSpec[]): SubRunSpec[] {
  const names = new Set(own.dependsOn);
  for (const name of names)
    for (const next of all.find((one) => one.name === name)?.dependsOn ?? []) names.add(next);
  return all.filter(({ name }) => names.has(name) && name !== own.name);
}

/**
 * What the agents of a job may read besides its own artefacts: a sub-run those of its parent and
 * its dependencies, a parent those of its sub-runs.
 */
export function collectRelatedArtefacts(
  rows: RowReader,
  { id, parentJobId }: { id: string; parentJobId: string | null },
): RelatedArtefacts[] {
  const ofSubRuns = (specs: readonly SubRunSpec[]): RelatedArtefacts[] =>
    specs.flatMap(({ name, jobId }) =>
      jobId === null ? [] : [{ of: name, artefacts: listJobArtefacts(rows, jobId) }],
    );
  const siblings = parentJobId === null ? [] : listSubRunSpecs(rows, parentJobId);
  const own = siblings.find(({ jobId }) => jobId === id);
  const relatedLists = [
    ...(parentJobId === null
      ? []
      : [{ of: PARENT, artefacts: listJobArtefacts(rows, parentJobId) }]),
    ...(own ? ofSubRuns(collectDependencies(own, siblings)) : []),
    ...ofSubRuns(listSubRunSpecs(rows, id)),
  ];
  return relatedLists.filter(({ artefacts }) => artefacts.length > 0);
}
