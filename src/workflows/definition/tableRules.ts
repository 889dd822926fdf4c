import type { WorkflowTable } from '../../contract/schema/workflow/workflow.ts';
import { JobParams } from '../../contract/schema/job/jobParams.ts';
import { findClosestName } from '../../base/text/findClosestName.ts';
import { MAX_WORKFLOW_BYTES } from '../../base/limits/jobLimits.ts';
import type { Findings } from './findings.ts';
import type { Positions } from './positions.ts';

/** The table is in the context of every job of the workflow, which is bounded. */
export function checkTable(table: WorkflowTable, positions: Positions, findings: Findings): void {
  const bytes = Buffer.byteLength(JSON.stringify(table));
  if (bytes <= MAX_WORKFLOW_BYTES) return;
  findings.error(
    'workflow-too-large',
    positions.key(['phases']),
    `The phases have ${bytes} bytes; the limit is ${MAX_WORKFLOW_BYTES}.`,
    'Use fewer phases, or shorten their obligations and lists of tools.',
  );
}

/** Shortest parameter name that is checked for typing errors, characters. */
const MIN_COMPARED_CHARS = 8;
/** Parameters that svc reads; all others belong to the workflow. */
const READ_PARAMS = ['repo', ...Object.keys(JobParams.properties)];
/** Long enough that a similar name is a typing error, unlike `repro`. */
const LONG_PARAMS = READ_PARAMS.filter((name) => name.length >= MIN_COMPARED_CHARS);
const IN_ONE_CASE = new Map(READ_PARAMS.map((name) => [name.toLowerCase(), name]));
/** Other programs' names of a repository, without separators. */
const NAMES_OF_REPO: ReadonlySet<string> = new Set([
  'repository',
  'repositories',
  'repos',
  'reponame',
  'repositoryname',
  'repositoryslug',
  'repourl',
  'repositoryurl',
  'gitrepo',
  'gitrepository',
]);

/** The parameter of svc that a workflow's name probably means. */
function findClosestReadParam(name: string): string | null {
  if (READ_PARAMS.includes(name)) return null;
  const plain = name.toLowerCase().replaceAll(/[-_ ]/g, '');
  if (NAMES_OF_REPO.has(plain)) return 'repo';
  return IN_ONE_CASE.get(plain) ?? findClosestName(name, LONG_PARAMS);
}

/** A parameter is required or optional, named once, and not almost one of svc's. */
export function checkParamNames(
  { required = [], optional = [] }: { required?: readonly string[]; optional?: readonly string[] },
  positions: Positions,
  findings: Findings,
): void {
  const seenNames = new Set<string>();
  for (const [key, names] of Object.entries({ required, optional })) {
    for (const [index, name] of names.entries()) {
      if (seenNames.has(name)) {
        const place = positions.value(['createParams', key, index]);
        findings.addWarning(
          'duplicate-param',
          place,
          `The parameter ${name} is given twice.`,
          'Keep one of them.',
        );
      }
      seenNames.add(name);
      const closestParam = findClosestReadParam(name);
      if (closestParam !== null && ![...required, ...optional].includes(closestParam))
        findings.addWarning(
          'misnamed-param',
          positions.value(['createParams', key, index]),
          `svc does not read the parameter ${name}${closestParam === 'repo' ? ', so the job has no checkout' : ''}.`,
          `Did you mean ${closestParam}?`,
        );
    }
  }
}
