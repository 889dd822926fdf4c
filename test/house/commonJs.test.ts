import { createRequire } from 'node:module';
import { runInThisContext } from 'node:vm';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { linkAsCommonJs } from '../../scripts/commonJs/link.ts';

const test = suite('house: ES modules of a build as CommonJS');

const linkFiles = (files: Record<string, string>): Map<string, string> =>
  linkAsCommonJs(new Map(Object.entries(files)));

/** What a file exports when it is loaded as CommonJS. */
function loadLinked(files: Record<string, string>, name: string): Record<string, unknown> {
  const texts = linkFiles(files);
  const modules = new Map<string, { exports: Record<string, unknown> }>();
  const load = (path: string): Record<string, unknown> => {
    const module = modules.get(path) ?? { exports: {} };
    if (modules.has(path)) return module.exports;
    modules.set(path, module);
    const require = (id: string) =>
      id.startsWith('.') ? load(id.replace('./', '')) : createRequire(import.meta.url)(id);
    runInThisContext(`(function (exports, require, module) { ${texts.get(path)}\n})`)(
      module.exports,
      require,
      module,
    );
    return module.exports;
  };
  return load(name);
}

test('names are imported and exported as they were', () => {
  const files = {
    'a.js':
      'import {\n  b as other,\n  c\n} from "./b.js";\nvar a = other + c;\nexport {\n  a as sum\n};\n',
    'b.js': 'var b = 1;\nvar c = 2;\nexport {\n  b,\n  c\n};\n',
  };
  assert.equal(loadLinked(files, 'a.js'), { sum: 3 });
});

test('a default export is one', () => {
  const files = {
    'a.js': 'import answer from "./b.js";\nexport {\n  answer\n};\n',
    'b.js': 'export default (() => 42)();\n',
  };
  assert.equal(loadLinked(files, 'a.js'), { answer: 42 });
});

test('the default of a module of Node is the module', () => {
  const files = {
    'a.js':
      'import path from "node:path";\nvar name = path.basename("/x/y");\nexport {\n  name\n};\n',
  };
  assert.equal(loadLinked(files, 'a.js'), { name: 'y' });
});

test('what is imported on demand is loaded on demand', async () => {
  const files = {
    'a.js': 'var late = () => import("./b.js");\nexport {\n  late\n};\n',
    'b.js': 'globalThis.svcWasLoaded = true;\nvar b = 1;\nexport {\n  b\n};\n',
  };
  const { late } = loadLinked(files, 'a.js');
  assert.is(Reflect.get(globalThis, 'svcWasLoaded'), undefined);
  assert.type(late, 'function');
  if (typeof late === 'function') assert.equal(await late(), { b: 1 });
});

test('a value that an export gets later reaches those that use it', () => {
  const files = {
    'a.js':
      'import {\n  init,\n  value\n} from "./b.js";\ninit();\nvar got = { value, value2: value, value3: { value: 0 }.value };\nexport {\n  got,\n  value as again\n};\n',
    'b.js': 'var value;\nvar init = () => {\n  value = 7;\n};\nexport {\n  init,\n  value\n};\n',
  };
  const { got, again } = loadLinked(files, 'a.js');
  assert.equal({ got, again }, { got: { value: 7, value2: 7, value3: 0 }, again: 7 });
});

test('lines keep their numbers', () => {
  const source = 'import {\n  a\n} from "./a.js";\n\nvar b = a;\nexport {\n  b\n};\n// last';
  const text = linkFiles({ 'b.js': source }).get('b.js') ?? '';
  assert.is(text.split('\n').indexOf('// last'), source.split('\n').indexOf('// last'));
});

test('a file that awaits outside of functions is refused by its name', () => {
  assert.throws(() => linkFiles({ 'a.js': 'await 1;\n' }), /a\.js cannot be CommonJS/);
});

test('an import or export in a text is a text', () => {
  const files = {
    'a.js': 'var text = `\nimport a from "./a.js";\nexport { a };\n`;\nexport {\n  text\n};\n',
  };
  assert.equal(loadLinked(files, 'a.js'), { text: '\nimport a from "./a.js";\nexport { a };\n' });
});

test.run();
