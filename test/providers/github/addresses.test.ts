import { mayAlwaysAct } from '../../../src/base/concurrency/mayAct.ts';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { systemClock } from '../../../src/base/time/clock.ts';
import { listForgeSites } from '../../../src/plugins/listForgeSites.ts';
import { createGithubForge } from '../../../src/providers/github/forge/forge.ts';
import { readGithubSettings } from '../../../src/providers/github/forge/settings.ts';
import { catchRefusal } from '../../support/refusal.ts';

const test = suite('scm github: addresses');

const TOKEN = 'ghp_svcsecretsvcsecret';

/** What is asked at an address, each with its version and how it is signed in. */
async function listRequestPaths(baseUrl: string): Promise<string[]> {
  const urls: string[] = [];
  const forge = createGithubForge({
    mayAct: mayAlwaysAct,
    settings: readGithubSettings({ token: TOKEN, baseUrl }),
    accountClient: {
      budget: () => {
        throw new Error('no one asks for it');
      },
      fetch: async (url, { headers = {} } = {}) => {
        const requestHeaders = new Headers(headers);
        assert.is(requestHeaders.get('authorization'), `token ${TOKEN}`);
        assert.is(requestHeaders.get('x-github-api-version'), '2022-11-28');
        urls.push(String(url));
        return new Response('{"message":"Not Found"}', {
          status: 404,
          headers: { 'content-type': 'application/json' },
        });
      },
    },
    clock: systemClock,
    mirrorsDir: '/nonexistent',
    selfIsPerson: false,
  });
  await catchRefusal(() => forge.healthcheck());
  await catchRefusal(() => forge.pullRequest('acme/shop', 1));
  return urls;
}

for (const [baseUrl, web, api, graphql] of [
  ['', 'https://github.com', 'https://api.github.com', 'https://api.github.com/graphql'],
  [
    'https://api.github.com/',
    'https://github.com',
    'https://api.github.com',
    'https://api.github.com/graphql',
  ],
  [
    'https://Acme.ghe.com/',
    'https://acme.ghe.com',
    'https://api.acme.ghe.com',
    'https://api.acme.ghe.com/graphql',
  ],
  [
    'https://api.acme.ghe.com',
    'https://acme.ghe.com',
    'https://api.acme.ghe.com',
    'https://api.acme.ghe.com/graphql',
  ],
  [
    'https://git.acme.test',
    'https://git.acme.test',
    'https://git.acme.test/api/v3',
    'https://git.acme.test/api/graphql',
  ],
  [
    'https://git.acme.test/api/v3/',
    'https://git.acme.test',
    'https://git.acme.test/api/v3',
    'https://git.acme.test/api/graphql',
  ],
] as const) {
  test(`baseUrl ${baseUrl || 'left out'}: git at ${web}, requests at ${api} and ${graphql}, with the version of the API`, async () => {
    assert.is(readGithubSettings({ token: TOKEN, baseUrl }).web, web);
    assert.equal(await listRequestPaths(baseUrl), [`${api}/user`, graphql]);
    assert.equal(listForgeSites(['github'], { github: { config: { token: TOKEN, baseUrl } } }), [
      { forge: 'github', web },
    ]);
  });
}

test.run();
