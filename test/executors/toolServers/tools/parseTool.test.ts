import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { AgentTool } from '../../../../src/executors/builtin/agentTool.ts';
import { findRefusedTool } from '../../../../src/executors/builtin/agent.ts';
import { parseTool } from '../../../../src/executors/toolServers/tools/parseTool.ts';

const test = suite('builtin: tools of external servers');

const parseSchema = (inputSchema: unknown) => {
  const parsed = parseTool({ name: 'find', inputSchema }, 1);
  return 'tool' in parsed ? parsed.tool.inputSchema : null;
};
const readProblem = (entry: unknown) => {
  const parsed = parseTool(entry, 2);
  return 'problem' in parsed ? parsed.problem : '';
};
const nested = (depth: number): unknown =>
  JSON.parse(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`);

test('a plain tool is offered as it is', () => {
  const inputSchema = { type: 'object', properties: { at: { type: 'string' } }, required: ['at'] };
  assert.equal(parseTool({ name: 'find', description: 'Finds.', inputSchema }, 1), {
    tool: { name: 'find', description: 'Finds.', inputSchema },
  });
});

for (const [what, inputSchema] of [
  ['no type', { properties: {} }],
  ['no schema', undefined],
  ['a schema that is null', null],
  ['true as schema', true],
  ['false as schema', false],
  ['a text as schema', 'object'],
  ['a list as schema', [{ type: 'object' }]],
  ['another type', { type: 'string' }],
  ['a list of other types', { type: ['string', 'null'] }],
  ['alternatives that are no objects', { anyOf: [{ type: 'object' }, { type: 'string' }] }],
  ['an argument that is no schema', { type: 'object', properties: { at: 5 } }],
  ['properties that are a list', { type: 'object', properties: ['a'] }],
  ['properties that are null', { type: 'object', properties: null }],
  ['required that is a text', { type: 'object', required: 'a' }],
  ['required that holds numbers', { type: 'object', required: [1] }],
  ['a root that refers to nothing', { $ref: '#/$defs/Gone' }],
  ['a root that refers to another file', { $ref: 'https://example.org/schema.json' }],
  ['a root that refers to itself', { $ref: '#' }],
] as const)
  test(`a tool with ${what} is left out with its place and its name`, () => {
    assert.match(
      readProblem({ name: 'broken', inputSchema }),
      /^tool 2, broken, has no valid input schema/,
    );
  });

for (const [what, inputSchema] of [
  ['a schema of 70,000 characters', { type: 'object', title: 'x'.repeat(70_000) }],
  ['a schema that is nested 100,000 times', { type: 'object', deep: nested(100_000) }],
] as const)
  test(`a tool with ${what} is left out`, () => {
    assert.match(
      readProblem({ name: 'broken', inputSchema }),
      /^tool 2, broken, has an input schema of more than/,
    );
  });

for (const entry of [null, 'find', 5, [], {}, { name: 5 }, { name: '' }, { name: null }])
  test(`${JSON.stringify(entry)} as a tool is left out with its place`, () => {
    assert.is(readProblem(entry), 'tool 2 has no name');
  });

test('a root that refers to a definition is that definition', () => {
  const $defs = { Input: { type: 'object', properties: { at: { type: 'string' } } } };
  assert.equal(parseSchema({ $ref: '#/$defs/Input', $defs }), { ...$defs.Input, $defs });
});

const at = { type: 'string' };
const by = { type: 'number' };

for (const keyword of ['anyOf', 'oneOf', 'allOf'])
  test(`${keyword} at the root is moved into the description, and its properties are kept`, () => {
    const alternatives = [{ properties: { at }, required: ['at'] }, { properties: { by } }];
    const parsed = parseTool(
      {
        name: 'find',
        description: 'Finds.',
        inputSchema: { type: 'object', [keyword]: alternatives },
      },
      1,
    );
    const tool = 'tool' in parsed ? parsed.tool : null;
    assert.equal(tool?.inputSchema, {
      type: 'object',
      properties: { at, by },
      ...(keyword === 'allOf' ? { required: ['at'] } : {}),
    });
    assert.match(
      tool?.description ?? '',
      /^Finds\.\n\nThe arguments must also match this JSON schema/,
    );
    assert.ok(tool?.description.includes(`"${keyword}":${JSON.stringify(alternatives)}`));
  });

test('properties of the root are before those of its alternatives', () => {
  const schema = parseSchema({
    type: 'object',
    properties: { at },
    anyOf: [{ properties: { at: by } }],
  });
  assert.equal(schema?.properties, { at });
});

test('alternatives that are no list do no harm', () => {
  assert.equal(parseSchema({ type: 'object', anyOf: 'all', not: true, const: 5 }), {
    type: 'object',
    properties: {},
  });
});

test('alternatives below the root stay', () => {
  const inputSchema = { type: 'object', properties: { at: { anyOf: [at, by] } } };
  assert.equal(parseSchema(inputSchema), inputSchema);
});

const tool = (name: string, server?: string): AgentTool => ({
  name,
  description: '',
  inputSchema: {},
  ...(server === undefined ? {} : { server }),
  run: () => Promise.resolve({ text: '', failed: false }),
});
const TOOLS = [tool('read'), tool('mcp__x__a', 'x'), tool('mcp__x__a_b', 'x')];
const namedIn = (refusal: string) => findRefusedTool(refusal, TOOLS)?.name ?? null;

for (const [refusal, name] of [
  ['tools.2.custom.input_schema: input_schema does not support oneOf', 'mcp__x__a_b'],
  ['tools[1].function.parameters is wrong', 'mcp__x__a'],
  ["Invalid schema for function 'mcp__x__a_b': it is wrong", 'mcp__x__a_b'],
  ["Invalid schema for function 'mcp__x__a': it is wrong", 'mcp__x__a'],
  ['tools.0.custom.input_schema: wrong', null],
  ['tools.99.custom.input_schema: wrong', null],
  ['messages.2.content: wrong', null],
] as const)
  test(`"${refusal}" is about ${name ?? 'no tool of a server'}`, () => {
    assert.is(namedIn(refusal), name);
  });

test.run();
