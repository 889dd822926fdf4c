import { forgeSetbackStories } from '../support/forges/forgeSetbacks.ts';
import { GitlabStage, REPO, TOKEN } from '../support/forges/gitlabStage.ts';

const MESSAGES: Readonly<Record<number, string>> = {
  401: '401 Unauthorized',
  403: '403 Forbidden',
  404: '404 Project Not Found',
};
const RENAMED = 'acme/web/store';

forgeSetbackStories({
  id: 'gitlab',
  title: 'GitLab',
  repo: REPO,
  token: TOKEN,
  creates: /\/merge_requests$/,
  refuse: (status) => ({ status, body: { message: MESSAGES[status] ?? 'Service Unavailable' } }),
  async open() {
    const stage = await GitlabStage.open();
    const { server, project } = stage;
    const { state } = server;
    const asAnn = (method: string, number: number, path: string, body: object) =>
      stage.as(
        'ann-token',
        method,
        `/projects/${project.id}/merge_requests/${number}${path}`,
        body,
      );
    return {
      config: { baseUrl: server.url },
      server,
      comment: (number, body) => asAnn('POST', number, '/notes', { body }),
      close() {
        const now = Date.now();
        const over = { closedAt: now, closedBy: 'ann', updatedAt: now + 1_000 };
        Object.assign(project.mrs[0] ?? {}, { state: 'closed', ...over });
      },
      remove: () => void state.projects.splice(state.projects.indexOf(project), 1),
      restore: () => void state.projects.push(project),
      rename() {
        project.formerPaths.push(project.path);
        project.path = RENAMED;
      },
      merge: () => asAnn('PUT', 2, '/merge', {}),
      stop: () => stage.end(),
    };
  },
});
