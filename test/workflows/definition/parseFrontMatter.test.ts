import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseFrontMatter } from '../../../src/workflows/definition/parseFrontMatter.ts';
import { folderWith } from '../../support/intelligenceFolder.ts';

const test = suite('front matter');

/**
 * Most processor time of an attack, ms; a busy machine does not count. Without its limit each takes
 * far longer, or all memory.
 */
const ATTACK_BUDGET_MS = 2_000;

const listCodes = (text: string) =>
  parseFrontMatter(text, 'f.md').diagnostics.map((one) => `${one.line}:${one.column} ${one.code}`);

test('gives data, body and the place of every key and value', () => {
  const front = parseFrontMatter(
    '---\ntitle: A\nphases:\n  - name: x\n    list: [1, 2]\n---\n\nText\n',
    'f.md',
  );
  assert.equal(front.data, { title: 'A', phases: [{ name: 'x', list: [1, 2] }] });
  assert.is(front.body, '\nText\n');
  assert.is(front.bodyLine, 7);
  assert.is(front.readable, true);
  assert.equal(front.diagnostics, []);
  assert.equal(front.positions.key(['phases', 0, 'list']), { line: 5, column: 5 });
  assert.equal(front.positions.value(['phases', 0, 'list', 1]), { line: 5, column: 15 });
  assert.equal(
    front.positions.value(['phases', 0, 'absent']),
    { line: 4, column: 5 },
    'the nearest ancestor',
  );
});

test('reads Windows line ends and a byte order mark with the same places', () => {
  const front = parseFrontMatter('\uFEFF---\r\ntitle: A\r\nother: B\r\n---\r\nText\r\n', 'f.md');
  assert.equal(front.data, { title: 'A', other: 'B' });
  assert.is(front.body, 'Text\r\n');
  assert.is(front.bodyLine, 5);
  assert.equal(front.positions.value(['other']), { line: 3, column: 8 });
});

test('a file without front matter is all body', () => {
  for (const text of ['', 'Text', '----\nText', ' ---\na: 1\n---\n']) {
    const front = parseFrontMatter(text, 'f.md');
    assert.equal(front.data, {});
    assert.equal(front.body, text);
    assert.equal(front.readable, false);
    assert.equal(front.diagnostics, []);
  }
});

test('front matter in another language is a finding and never runs', () => {
  const dir = folderWith({});
  const marker = join(dir, 'marker');
  const code = `{ a: process.getBuiltinModule('fs').writeFileSync(${JSON.stringify(marker)}, 'ran') }`;
  for (const language of [
    'js',
    'JS',
    'javascript',
    'Javascript',
    ' js ',
    'coffee',
    'cson',
    'json',
    'toml',
    'constructor',
    '__proto__',
    'toString',
  ]) {
    for (const end of ['\n', '\r\n']) {
      const front = parseFrontMatter(`---${language}${end}${code}${end}---${end}Text`, 'f.md');
      assert.equal(front.data, {}, language);
      assert.equal(front.readable, false, language);
      assert.equal(
        front.diagnostics.map((one) => [one.code, one.line, one.column]),
        [['front-matter-language', 1, 4]],
        language,
      );
    }
  }
  assert.is(existsSync(marker), false, 'nothing was executed');
});

test('a broken file stays broken when it is read again, and nothing leaks from one reader to the next', () => {
  const broken = '---\na: [1\nb: 2\n---\n';
  assert.equal(listCodes(broken), listCodes(broken));
  assert.equal(listCodes(broken), ['3:1 yaml-syntax']);
  const first = parseFrontMatter('---\na: 1\n---\n', 'f.md');
  first.data.a = 'changed';
  assert.equal(parseFrontMatter('---\na: 1\n---\n', 'f.md').data, { a: 1 });
});

test('what YAML would let through silently is refused, with its place', () => {
  const cases: Record<string, string[]> = {
    '---\na: 1\nb: 2\na: 3\n---\n': ['4:1 yaml-syntax'],
    '---\nx:\n  __proto__: { polluted: true }\n---\n': ['3:3 yaml-syntax'],
    '---\n"__proto__": 1\n---\n': ['2:1 yaml-syntax'],
    '---\na: !!js/function "x"\n---\n': ['2:18 yaml-syntax'],
    '---\na: !!binary aGk=\n---\n': ['2:13 yaml-syntax'],
    '---\n? [a, b]\n: 1\n---\n': ['2:3 yaml-syntax'],
    '---\n3: x\n---\n': ['2:1 yaml-syntax'],
    '---\na: 1\n': ['1:1 yaml-syntax'],
    '---\na: 1\n--- and on\n': ['3:4 yaml-syntax'],
    '---\n- a\n---\n': ['2:1 wrong-type'],
    '---\ntext\n---\n': ['2:1 wrong-type'],
    '---\na:\n\tb: 1\n---\n': ['3:1 yaml-syntax'],
  };
  for (const [text, codes] of Object.entries(cases))
    assert.equal(listCodes(text), codes, JSON.stringify(text));
  assert.is(Reflect.get({}, 'polluted'), undefined);
});

test('values stay what the author sees: words become no dates, octals or booleans', () => {
  const { data } = parseFrontMatter('---\na: no\nb: 2020-01-01\nc: 0777\nd: on\n---\n', 'f.md');
  assert.equal(data, { a: 'no', b: '2020-01-01', c: 777, d: 'on' });
});

test('bombs are refused within the time budget', () => {
  const letters = 'abcdefghijklmnopqrstuvwxyz';
  const bomb = [...letters]
    .map(
      (name, index) =>
        `${name}: &${name} [${
          index === 0
            ? 'x,x,x,x,x,x,x,x,x'
            : Array(9)
                .fill(`*${letters[index - 1]}`)
                .join(',')
        }]`,
    )
    .join('\n');
  const manyKeys = Array.from({ length: 12_000 }, (_, at) => `k${at.toString(36)}`).join(',');
  const attacks: Record<string, [text: string, code: string]> = {
    'alias bomb': [`---\n${bomb}\n---\n`, 'yaml-syntax'],
    '10 MB of front matter': [`---\na: ${'x'.repeat(10_000_000)}\n---\n`, 'file-too-large'],
    '10 MB of text': [`---\na: 1\n---\n${'x'.repeat(10_000_000)}`, 'file-too-large'],
    '200 KB of front matter': [`---\na: ${'x'.repeat(200_000)}\n---\n`, 'front-matter-too-large'],
    'blank lines': [`---\n${'\n'.repeat(60_000)}a: 1\n---\n`, 'front-matter-too-large'],
    'many keys': [
      `---\n${Array.from({ length: 8_000 }, (_, at) => `k${at}: 1`).join('\n')}\n---\n`,
      'front-matter-too-large',
    ],
    'many keys in one line': [`---\na: {${manyKeys},k0: 2}\n---\n`, 'yaml-syntax'],
    'deep nesting': [`---\na: ${'['.repeat(60_000)}\n---\n`, 'front-matter-too-large'],
  };
  for (const [name, [text, code]] of Object.entries(attacks)) {
    const start = process.cpuUsage();
    const front = parseFrontMatter(text, 'f.md');
    const took = process.cpuUsage(start).user / 1000;
    assert.equal(front.data, {}, name);
    assert.equal(
      front.diagnostics.map((one) => one.code),
      [code],
      name,
    );
    assert.ok(took < ATTACK_BUDGET_MS, `${name} took ${Math.round(took)} ms`);
  }
});

test('a few aliases are not a bomb', () => {
  assert.equal(parseFrontMatter('---\na: &a [1]\nb: *a\n---\n', 'f.md').data, { a: [1], b: [1] });
});

test('a map may be used by every phase of the largest workflow', () => {
  const uses = Array.from({ length: 63 }, (_, at) => `  - { <<: *p, name: p${at} }`).join('\n');
  const { data, diagnostics } = parseFrontMatter(
    `---\nphases:\n  - &p { name: p, agent: a.md, status: s, model: m }\n${uses}\n---\n`,
    'f.md',
  );
  assert.equal(diagnostics, []);
  const phases = data.phases as unknown[];
  assert.equal(phases.length, 64);
  assert.equal(phases[63], { agent: 'a.md', status: 's', model: 'm', name: 'p62' });
});

test('nested merges and thousands of aliases are refused as soon as they are counted', () => {
  const letters = [...'abcdefghijklmnop'];
  const nested = letters
    .map((name, at) =>
      at === 0
        ? 'a: &a { k: 1 }'
        : `${name}: &${name} { <<: [${Array(9)
            .fill(`*${letters[at - 1]}`)
            .join(', ')}] }`,
    )
    .join('\n');
  const many = `a: &a x\nb: [${Array(15_000).fill('*a').join(',')}]`;
  for (const block of [nested, many]) {
    const start = process.cpuUsage();
    const { diagnostics, data } = parseFrontMatter(`---\n${block}\n---\n`, 'f.md');
    assert.ok(process.cpuUsage(start).user / 1000 < ATTACK_BUDGET_MS, 'in time');
    assert.equal(data, {});
    assert.match(diagnostics[0]?.message ?? '', 'expand to more than 5000 values');
  }
});

test('tags are refused on maps and lists too', () => {
  assert.equal(listCodes('---\na: !!map { b: 1 }\nc: !own [1]\n---\n'), [
    '2:10 yaml-syntax',
    '3:9 yaml-syntax',
  ]);
});

test('only this module imports the splitter that can run code', () => {
  const root = join(import.meta.dirname, '../../..');
  const sources = ['src', 'machines', 'cli'].flatMap((folder) =>
    existsSync(join(root, folder))
      ? readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) =>
          join(folder, path),
        )
      : [],
  );
  const code = sources.filter((path) => path.endsWith('.ts'));
  assert.ok(code.length > 20, 'the sources were found');
  const importers = code.filter((path) =>
    /(from|import\(|require\()\s*['"]gray-matter/.test(readFileSync(join(root, path), 'utf8')),
  );
  assert.equal(importers, ['src/workflows/definition/parseFrontMatter.ts']);
});

test('no text makes it throw, and what it calls readable has no error (fuzz)', () => {
  const yamlish = fc
    .array(
      fc.constantFrom(
        '---',
        '\n',
        'a',
        ': ',
        '- ',
        '[',
        ']',
        '{',
        '}',
        '"',
        "'",
        '&x ',
        '*x',
        '!t ',
        '|',
        '>',
        '#',
        '? ',
        '\t',
        '  ',
        '\r\n',
        '__proto__',
        ',',
        '%',
        '...',
      ),
    )
    .map((parts) => `---\n${parts.join('')}\n---\n`);
  fc.assert(
    fc.property(
      fc.oneof(
        yamlish,
        fc.string({ unit: 'binary' }),
        fc.string().map((text) => `---${text}`),
      ),
      (text) => {
        const front = parseFrontMatter(text, 'f.md');
        const lines = text.split('\n').length;
        assert.ok(
          front.diagnostics.every((one) => one.line >= 1 && one.line <= lines && one.column >= 1),
        );
        assert.is(Object.getPrototypeOf(front.data), Object.prototype);
        if (front.readable) assert.equal(front.diagnostics, []);
      },
    ),
    { seed: 1, numRuns: 500 },
  );
});

test.run();
