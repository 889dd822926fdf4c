import type { Rolldown } from 'vite';

type ChunkGroup = NonNullable<
  Exclude<Rolldown.OutputOptions['codeSplitting'], boolean | undefined>['groups']
>[number];

/**
 * The files of the dashboard beside one for each page: what every page needs, and by subject what
 * several need. Without groups each module that two pages share becomes a file of its own, 80 for
 * the page of a job, and over HTTP/1.1 a browser asks for six at a time.
 */
const GROUPS: readonly (Pick<ChunkGroup, 'tags' | 'test' | 'minShareCount'> & { name: string })[] =
  [
    { name: 'shell', tags: ['$initial'] },
    { name: 'markdown', test: /node_modules\/marked|\/ui\/shell\/markdown\// },
    {
      name: 'pages',
      test: /\/ui\/(?:shell\/(?!lists\/)|budgets\/(?!AccountRow|BudgetRow)|insights\/)|\/ui\/jobs\/(?:[^/]+|(?:log|page)\/[^/]+)$|\/src\/base\/|\/plainWords/,
      minShareCount: 3,
    },
    { name: 'figures', test: /\/ui\/(?:statistics|budgets)\//, minShareCount: 2 },
    {
      name: 'lists',
      test: /\/ui\/shell\/lists\/|\/(?:EditorBox|InsightButtons|useMessages|LowDisk|findLowDisk|runWhileSeated)\./,
      minShareCount: 2,
    },
    { name: 'changes', test: /\/ui\/jobs\/changes\/(?!Lazy)/, minShareCount: 2 },
    { name: 'newJob', test: /\/ui\/jobs\/newJob\//, minShareCount: 2 },
    { name: 'form', test: /\/ui\/form\//, minShareCount: 2 },
    { name: 'asks', test: /\/ui\/inbox\//, minShareCount: 2 },
    { name: 'proposals', test: /\/ui\/proposals\//, minShareCount: 2 },
    { name: 'audit', test: /\/ui\/audit\//, minShareCount: 2 },
    { name: 'chart', test: /\/ui\/chart\/|\/machines\/|elkjs/, minShareCount: 2 },
    { name: 'rest', test: /\/(?:ui|src)\//, minShareCount: 2 },
  ];

/** Those that come first take a module before the others. */
export const dashboardChunks: ChunkGroup[] = GROUPS.map((group, index) => ({
  ...group,
  priority: GROUPS.length - index,
}));
