import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  assignToolNames,
  toWholeToolName,
} from '../../../../src/executors/toolServers/tools/assignToolNames.ts';
import {
  parseTool,
  type OfferedTool,
} from '../../../../src/executors/toolServers/tools/parseTool.ts';
import { restoreArguments } from '../../../../src/executors/toolServers/tools/renameArguments.ts';

const test = suite('tool servers: names');

const tool = (name: string): OfferedTool => ({
  name,
  description: 'Does it.',
  inputSchema: { type: 'object' },
});
const assignNames = (names: readonly string[], server = 'x', usedNames = new Set<string>()) =>
  assignToolNames(server, names.map(tool), usedNames);
const listAssignedNames = (names: readonly string[]) =>
  assignNames(names).named.map(({ name }) => name);
const isTaken = (name: string): boolean => /^[A-Za-z0-9_-]{1,64}$/.test(toWholeToolName('x', name));

test('names that every endpoint takes stay', () => {
  assert.equal(listAssignedNames(['find', 'get_item', 'a-b']), ['find', 'get_item', 'a-b']);
});

for (const names of [
  ['get.item', 'get_item'],
  ['get_item', 'get.item', 'get/item', 'get item'],
  ['検索', '削除', '更新'],
  ['поиск', 'find'],
  ['search_検索', 'search_削除'],
  ['🔍', '🔎'],
  ['a.b', 'a:b'],
])
  test(`${names.join(', ')} are all reachable under names of their own`, () => {
    const toolNames = listAssignedNames(names);
    assert.is(toolNames.length, names.length);
    assert.is(new Set(toolNames).size, names.length);
    assert.ok(toolNames.every(isTaken), toolNames.join());
  });

test('a tool keeps its name whatever the order of the list is', () => {
  const one = assignNames(['get.item', 'get_item']).named;
  const other = assignNames(['get_item', 'get.item']).named;
  const byTool = (list: typeof one) =>
    Object.fromEntries(list.map((each) => [each.tool.name, each.name]));
  assert.equal(byTool(one), byTool(other));
  assert.is(byTool(one).get_item, 'get_item');
});

test('a description says what the server calls a tool that is renamed', () => {
  assert.is(
    assignNames(['検索']).named[0]?.tool.description,
    'Named "検索" by its server. Does it.',
  );
});

test('two servers whose ids become equal have tools of their own', () => {
  const usedNames = new Set<string>();
  const one = assignNames(['find'], 'a.b', usedNames).named.map(({ name }) =>
    toWholeToolName('a.b', name),
  );
  const other = assignNames(['find'], 'a_b', usedNames).named.map(({ name }) =>
    toWholeToolName('a_b', name),
  );
  assert.is(new Set([...one, ...other]).size, 2);
});

test('a name that is too long is left out with a line', () => {
  const { named: tools, problems } = assignNames(['a'.repeat(60), 'find']);
  assert.equal(
    tools.map(({ name }) => name),
    ['find'],
  );
  assert.equal(problems, [
    `The name of the tool mcp__x__${'a'.repeat(60)} is too long (68 characters, at most 64); it is left out`,
  ]);
});

test('arguments with names that endpoints refuse are renamed for the model, and have their own names in the call', () => {
  const long = 'a'.repeat(70);
  const parsed = parseTool(
    {
      name: 'find',
      inputSchema: {
        type: 'object',
        properties: {
          'user name': { type: 'string' },
          検索: { type: 'string' },
          [long]: {},
          at: {},
        },
        required: ['user name', 'at'],
      },
    },
    1,
  );
  if (!('tool' in parsed)) throw new Error(parsed.problem);
  const { inputSchema, argumentNames = {} } = parsed.tool;
  const names = Object.keys(Object(inputSchema.properties));
  assert.ok(
    names.every((name) => /^[a-zA-Z0-9_.-]{1,64}$/.test(name)),
    names.join(),
  );
  assert.is(names.length, 4);
  assert.equal(inputSchema.required, [names[0], 'at']);
  const call = Object.fromEntries(names.map((name, n) => [name, n]));
  assert.equal(restoreArguments(call, argumentNames), {
    'user name': 0,
    検索: 1,
    [long]: 2,
    at: 3,
  });
});

test('alternatives within alternatives, references and conditions give their properties to the root', () => {
  const parsed = parseTool(
    {
      name: 'find',
      inputSchema: {
        oneOf: [{ $ref: '#/$defs/One' }, { type: 'object', allOf: [{ properties: { c: {} } }] }],
        $defs: { One: { type: 'object', properties: { a: {} } } },
      },
    },
    1,
  );
  if (!('tool' in parsed)) throw new Error(parsed.problem);
  const { type, properties, oneOf } = parsed.tool.inputSchema;
  assert.equal(
    [type, Object.keys(Object(properties)).sort(), oneOf],
    ['object', ['a', 'c'], undefined],
  );
  const conditional = parseTool(
    { name: 'find', inputSchema: { type: 'object', if: {}, else: { properties: { b: {} } } } },
    1,
  );
  if (!('tool' in conditional)) throw new Error(conditional.problem);
  assert.equal(conditional.tool.inputSchema, { type: 'object', properties: { b: {} } });
});

test.run();
