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
      'GET /jobs/:jobId/sub-runs 200 campaign',
      'POST /jobs/:jobId/sub-runs/:name/what-if 200 subRunWhatIf',
      'POST /jobs/:jobId/sub-runs/:name/skip 200 skipSubRun',
      'POST /jobs/:jobId/sub-runs/:name/rerun 200 rerunSubRun',
      'POST /jobs/:jobId/sub-runs/:name/cancel 200 cancelSubRun',
      'POST /jobs/:jobId/children/:name/skip 200 skipChild',
      'POST /jobs/:jobId/children/:name/rerun 200 rerunChild',
      'POST /jobs/:jobId/children/:name/cancel 200 cancelChild',
      'POST /jobs/:jobId/children/:name/abandon 200 abandonChild',
      'POST /jobs/:jobId/children/:name/resume 200 resumeChild',
      'POST /jobs/:jobId/children/:name/start 200 startChild',
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
      'GET /plugins 200 plugins',
      'POST /plugins/install 201 installPlugin',
      'DELETE /plugins/:pluginId 204 uninstallPlugin',
      'GET /plugins/:pluginId/models 200 pluginModels',
      'POST /plugins/:pluginId/healthcheck 200 checkPlugin',
      'POST /test/plugin/:pluginId 200 testPlugin',
      'POST /config/plugins/:pluginId/auth/detect 200 detectPluginAuth',
      'POST /config/plugins/:pluginId/auth/detect/apply 200 applyPluginAuth',
      'GET /config 200 config',
      'PUT /config 200 updateConfig',
      'GET /trust 200 trust',
      'POST /trust 200 addTrust',
      'DELETE /trust/:slug 204 removeTrust',
      'GET /jobs/:jobId/mcp-servers 200 mcpServers',
      'GET /config/inherited-mcps 200 inheritedMcps',
    ],
  );
});

test.run();
