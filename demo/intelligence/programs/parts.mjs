// What each sub-run of the demo's campaigns writes. One that `needs` a parameter and has not got it
// gives up.
const tested = (name, lines) => `import assert from 'node:assert/strict';
import test from 'node:test';
import { ${name} } from '../src/${name}.js';

${lines.map(([says, call, result]) => `test('${says}', () => {\n  assert.deepEqual(${call}, ${result});\n});`).join('\n\n')}
`;

const SPLIT = {
  category: 'convention',
  text: 'A word consists of a-z, digits and apostrophes; everything else separates words.',
};

export const PARTS = {
  words: {
    source: 'src/words.js',
    title: 'Words of a text',
    files: () => ({
      'src/words.js':
        "/** The words of a text, in order. */\nexport const words = (text) => text.match(/[\\p{L}\\p{N}']+/gu) ?? [];\n",
      'test/words.test.js': tested('words', [
        ['words in order', "words('One, two!')", "['One', 'two']"],
      ]),
    }),
    produces: {
      id: 'words-api',
      kind: 'function',
      shape: 'words(text: string): string[]',
      compatibility: 'additive changes only',
      test_ref: 'test/words.test.js',
      merged_pr_url: null,
      merged_commit_sha: null,
    },
    insights: [
      SPLIT,
      {
        category: 'contract-drift',
        text: 'words-api: words gives a list, the contract says an iterator; a list serves both consumers.',
      },
    ],
  },
  count: {
    source: 'src/count.js',
    title: 'Number of words',
    files: () => ({
      'src/count.js':
        "import { words } from './words.js';\n\n/** How many words a text has. */\nexport const count = (text) => words(text).length;\n",
      'test/count.test.js': tested('count', [['three words', "count('a b c')", '3']]),
    }),
    // The same again: the parent is notified once.
    insights: [SPLIT],
  },
  longest: {
    source: 'src/longest.js',
    title: 'The longest word',
    needs: {
      tie: 'Two words can be equally long: params.tie has to say which one counts, first or last.',
    },
    files: ({ tie }) => ({
      'src/longest.js': `import { words } from './words.js';

/** The longest word of a text, of equally long ones the ${tie}; undefined if it has no word. */
export const longest = (text) =>
  words(text).reduce((best, word) => (best === undefined || word.length ${tie === 'first' ? '>' : '>='} best.length ? word : best), undefined);
`,
      'test/longest.test.js': tested('longest', [['the longest', "longest('a bbb cc')", "'bbb'"]]),
    }),
    insights: [{ category: 'decision', text: 'Of equally long words the first counts.' }],
  },
  report: {
    source: 'src/report.js',
    title: 'A sentence about a text',
    files: () => ({
      'src/report.js': `import { count } from './count.js';
import { longest } from './longest.js';

/** How many words a text has and which one is the longest, as a sentence. */
export const report = (text) => \`\${count(text)} words, the longest is \${longest(text)}\`;
`,
      'test/report.test.js': tested('report', [
        ['both', "report('a bbb cc')", "'3 words, the longest is bbb'"],
      ]),
    }),
    insights: [],
  },
  usage: {
    source: 'README.md',
    title: 'How report is used',
    files: () => ({
      'README.md': "# texts\n\nSays something about a text: `report('a bbb cc')`.\n",
    }),
    insights: [],
  },
  lines: {
    source: 'src/lines.js',
    title: 'Lines of a text',
    files: () => ({
      'src/lines.js':
        "/** The lines of a text that are not empty. */\nexport const lines = (text) => text.split('\\n').filter((line) => line.trim() !== '');\n",
      'test/lines.test.js': tested('lines', [
        ['an empty line is none', "lines('a\\n\\nb')", "['a', 'b']"],
      ]),
    }),
    insights: [],
  },
  rhymes: {
    source: 'src/rhymes.js',
    title: 'Rhymes',
    needs: { language: 'Rhymes are a matter of the language: params.language has to name it.' },
    files: ({ language }) => ({
      'src/rhymes.js': `/** Whether two words of ${language} rhyme. */\nexport const rhymes = (a, b) => a.slice(-2) === b.slice(-2);\n`,
    }),
    insights: [],
  },
};
