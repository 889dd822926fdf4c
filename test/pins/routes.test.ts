import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { routes } from '../../src/http/routes.ts';

const test = suite('pins routes');

test('the routes that are public; one that changes or goes breaks somebody (HTTP-1)', () => {
  assert.equal(
    routes.map(({ method, path, status, name }) => `${method} ${path} ${status} ${name}`),
    [
      'GET /health 200 health',
      'GET /workflows 200 workflows',
      'GET /openapi.json 200 openapi',
      'POST /jobs 201 createJob',
      'GET /jobs 200 jobs',
      'GET /jobs/:jobId 200 job',
      'GET /jobs/:jobId/stream 200 stream',
      'GET /jobs/:jobId/artifacts/:artifactId/content 200 artefact',
      'GET /jobs/:jobId/insights 200 insights',
      'DELETE /jobs/:jobId/insights/:insightId 204 removeInsight',
      'POST /jobs/:jobId/resume 200 resume',
      'POST /jobs/:jobId/cancel 200 cancel',
      'POST /jobs/:jobId/pause 200 pause',
      'POST /jobs/:jobId/message 200 message',
      'POST /jobs/:jobId/phases/:phase/rerun 200 rerun',
      'GET /jobs/:jobId/why 200 why',
      'POST /jobs/:jobId/what-if 200 whatIf',
      'GET /jobs/:jobId/machine 200 machine',
      'GET /jobs/:jobId/journal 200 journal',
      'GET /forges/local/repos 200 forgeRepos',
      'GET /forges/local/repos/:slug/prs 200 pullRequests',
      'GET /forges/local/repos/:slug/prs/:n 200 pullRequest',
      'GET /forges/local/repos/:slug/prs/:n/diff 200 pullRequestDiff',
      'POST /forges/local/repos/:slug/prs/:n/approve 200 approvePullRequest',
      'POST /forges/local/repos/:slug/prs/:n/comment 200 commentPullRequest',
      'POST /forges/local/repos/:slug/prs/:n/merge 200 mergePullRequest',
    ],
  );
});

test.run();
