import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { routes } from '../../../../src/contract/routes/routes.ts';
import { CreateJobBody } from '../../../../src/contract/schema/api/bodies.ts';
import { Job } from '../../../../src/contract/schema/job/job.ts';
import { ask, openSurface } from '../../../support/http/httpSurface.ts';

const test = suite('http openapi');

interface Parameter {
  name: string;
  in: string;
  required: boolean;
  schema: object;
}

interface Operation {
  operationId: string;
  summary: string;
  parameters: Parameter[];
  security: object[];
  requestBody?: { required: boolean; content: Record<string, { schema: object }> };
  responses: Record<string, { description: string; content?: Record<string, { schema: object }> }>;
}

interface OpenApi {
  openapi: string;
  info: { title: string; version: string };
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, object>; securitySchemes: object };
}

const fetchDocument = async (): Promise<OpenApi> => {
  await using surface = await openSurface();
  const { status, json } = await ask(surface, '/openapi.json');
  assert.is(status, 200);
  return json as OpenApi;
};

/** Every `$ref` in a document. */
const refsIn = (value: unknown): string[] =>
  typeof value !== 'object' || value === null
    ? []
    : Object.entries(value).flatMap(([key, inner]) =>
        key === '$ref' ? [String(inner)] : refsIn(inner),
      );

test('the document has exactly the routes of the table, each operation once (HTTP-1)', async () => {
  const { openapi, info, paths } = await fetchDocument();
  assert.equal(openapi, '3.1.0');
  assert.equal(info.version, '0.2.0');
  const inDocument = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { operationId }]) => `${method} ${path} ${operationId}`),
  );
  const inTable = routes.map(
    ({ method, path, name }) =>
      `${method.toLowerCase()} ${path.replace(/:(\w+)/g, '{$1}')} ${name}`,
  );
  assert.equal(inDocument.sort(), inTable.sort());
  assert.is(new Set(inTable.map((line) => line.split(' ')[2])).size, routes.length);
});

test('every operation is complete: summary, parameters of its path, replies, problems (HTTP-1)', async () => {
  const { paths } = await fetchDocument();
  for (const [path, item] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(item)) {
      const where = `${method} ${path}`;
      assert.ok(operation.summary.length > 10, where);
      const inPath = operation.parameters.filter((parameter) => parameter.in === 'path');
      assert.equal(
        inPath.map(({ name }) => `{${name}}`),
        path.match(/\{\w+\}/g) ?? [],
        where,
      );
      assert.ok(
        inPath.every(({ required }) => required),
        where,
      );
      assert.is(method === 'post' || method === 'put', operation.requestBody !== undefined, where);
      const replies = Object.entries(operation.responses);
      const answers = replies.filter(([status]) => /^20[0124]$/.test(status));
      assert.is(answers.length, path === '/webhooks/{pluginId}' ? 2 : 1, where);
      for (const [status, { description, content }] of replies.slice(answers.length)) {
        assert.ok(Number(status) >= 400 && description.startsWith('code: '), where);
        assert.equal(content, {
          'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
        });
      }
      for (const status of ['401', '403', '500'])
        assert.ok(status in operation.responses, `${where} ${status}`);
    }
  }
});

test('a webhook is answered with JSON, and a challenge of its sender with text (HTTP-1)', async () => {
  const { paths } = await fetchDocument();
  const { 200: text, 202: json } = paths['/webhooks/{pluginId}']?.post?.responses ?? {};
  assert.equal(Object.keys(text?.content ?? {}), ['text/plain']);
  assert.equal(Object.keys(json?.content ?? {}), ['application/json']);
});

test('a value of the query that must be given is required (HTTP-1)', async () => {
  const { paths } = await fetchDocument();
  const path = paths['/intake/sessions/{sessionId}/file']?.get?.parameters.find(
    ({ name }) => name === 'path',
  );
  assert.ok(path?.required);
});

test('every route says which credential it needs; the empty one stands for none on loopback (HTTP-1)', async () => {
  const { paths, components } = await fetchDocument();
  const token = { token: [] };
  assert.equal(paths['/jobs']?.post?.security, [token, { login: [], pageKey: [] }]);
  assert.equal(paths['/jobs']?.get?.security, [token, { login: [] }, {}]);
  assert.equal(paths['/workflows/lint']?.post?.security, [token, { login: [], pageKey: [] }, {}]);
  assert.equal(paths['/plugins/{pluginId}/models']?.get?.security, [token, { login: [] }]);
  assert.equal(paths['/webhooks/{pluginId}']?.post?.security, []);
  assert.equal(Object.keys(components.securitySchemes), ['token', 'login', 'pageKey']);
  const types = Object.keys(Object(paths['/config']?.put?.requestBody).content);
  assert.equal(types, ['application/json', 'application/merge-patch+json']);
});

test('its schemas are those that validate; every reference resolves (HTTP-1)', async () => {
  const document = await fetchDocument();
  const { paths, components } = document;
  const plain = (schema: object): unknown => JSON.parse(JSON.stringify(schema));
  assert.equal(paths['/jobs']?.post?.requestBody, {
    required: true,
    content: { 'application/json': { schema: plain(CreateJobBody) } },
  });
  assert.equal(paths['/jobs/{jobId}']?.get?.responses['200']?.content, {
    'application/json': { schema: plain(Job) },
  });
  assert.equal(
    paths['/jobs']?.get?.parameters.map(({ name }) => name),
    'ids q search status is needs repo workflow type coordinates subRuns parentJobId campaignParentId sort limit offset'.split(
      ' ',
    ),
  );
  assert.equal(Object.keys(paths['/jobs']?.post?.responses ?? {}), [
    '201',
    '400',
    '401',
    '403',
    '404',
    '409',
    '413',
    '415',
    '422',
    '431',
    '500',
    '503',
  ]);
  const refs = [...new Set(refsIn(document))];
  assert.equal(refs.sort(), ['#/components/schemas/ChartNode', '#/components/schemas/Problem']);
  assert.equal(Object.keys(components.schemas).sort(), ['ChartNode', 'Problem']);
});

test.run();
