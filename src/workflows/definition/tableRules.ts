import type { WorkflowTable } from '../../contract/schema/workflow/workflow.ts';
import { JobParams } from '../../contract/schema/job/jobParams.ts';
import { findClosestName } from '../../shared/text/findClosestName.ts';
import { MAX_WORKFLOW_BYTES } from '../../shared/limits/jobLimits.ts';
import type { Findings } from './findings.ts';
import type { Positions } from './positions.ts';

/** The table lives in the context of every job of the workflow, which is bounded. */
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

/** Shortest name of a parameter that others are compared with for slips, characters. */
const MIN_COMPARED_CHARS = 8;
/** Parameters that svc reads, as `createParams` name them; all others belong to the workflow. */
const READ_PARAMS = ['repo', ...Object.keys(JobParams.properties)];
/** Long enough that a name which differs by a few letters is a slip of the keyboard, unlike `repro`. */
const LONG_PARAMS = READ_PARAMS.filter((name) => name.length >= MIN_COMPARED_CHARS);
const IN_ONE_CASE = new Map(READ_PARAMS.map((name) => [name.toLowerCase(), name]));
/** Names of a repository in other programs, without separators. */
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

/** The parameter that svc reads and that a name of the workflow's own is probably meant to be. */
function findClosestReadParam(name: string): string | null {
  if (READ_PARAMS.includes(name)) return null;
  const plain = name.toLowerCase().replaceAll(/[-_ ]/g, '');
  if (NAMES_OF_REPO.has(plain)) return 'repo';
  return IN_ONE_CASE.get(plain) ?? findClosestName(name, LONG_PARAMS);
}

/** A parameter is required or optional, named once, and not nearly one that svc reads. */
export function checkParamNames(
  { required = [], optional = [] }: { required?: readonly string[]; optional?: readonly string[] },
  positions: Positions,
  findings: Findings,
): void {
  const seen = new Set<string>();
  for (const [key, names] of Object.entries({ required, optional })) {
    for (const [index, name] of names.entries()) {
      if (seen.has(name)) {
        const place = positions.value(['createParams', key, index]);
        findings.warning(
          'duplicate-param',
          place,
          `The parameter ${name} is given twice.`,
          'Keep one of them.',
        );
      }
      seen.add(name);
      const meant = findClosestReadParam(name);
      if (meant !== null && ![...required, ...optional].includes(meant))
        findings.warning(
          'misnamed-param',
          positions.value(['createParams', key, index]),
          `svc does not read the parameter ${name}${meant === 'repo' ? ', so the job has no checkout' : ''}.`,
          `Did you mean ${meant}?`,
        );
    }
  }
}
