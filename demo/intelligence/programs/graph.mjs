// The sub-runs that the demo's campaign is planned with: a diamond and a tail.
export const SUB_RUNS = [
  { name: 'words', description: 'src/words.js: words(text) gives the words of a text, in order.' },
  {
    name: 'count',
    description: 'src/count.js: count(text) says how many words there are.',
    dependsOn: ['words'],
  },
  {
    name: 'longest',
    description: 'src/longest.js: longest(text) gives the longest word.',
    dependsOn: ['words'],
  },
  {
    name: 'report',
    description: 'src/report.js: report(text) says both in a sentence.',
    dependsOn: ['count', 'longest'],
  },
  { name: 'usage', description: 'README.md: how report is used.', dependsOn: ['report'] },
];
