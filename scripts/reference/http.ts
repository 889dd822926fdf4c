import { buildOpenapiDocument } from '../../src/api/server/openapi/buildOpenapiDocument.ts';
import { routes, type Route } from '../../src/contract/routes/routes.ts';
import { renderApiPage } from './apiPage.ts';
import { code, table } from './markdown.ts';

/** What each class of access asks of a caller while `server.auth` is `auto`. */
const ACCESS: Readonly<Record<Route['access'], string>> = {
  own: 'No credential: the route checks by itself who sent the request.',
  basic: 'Open where only this machine can reach the runner; else a credential.',
  read: 'Open on this machine; a credential through a proxy, from elsewhere, and while webhooks are configured.',
  compute: 'As `read`. The method is `POST` because of the body; nothing changes.',
  scrape: 'Always a credential; that of `metrics.token` in the home is for this route alone.',
  write: 'Always a credential.',
};

const INTRODUCTION = `\`GET /openapi.json\` of a running runner is the same as an OpenAPI 3.1 document. A credential is
the token of the runner (\`Authorization: Bearer …\`) or a dashboard login. Bodies and answers are
JSON. Errors are problem documents; [errors.md](errors.md) explains each code. Every \`POST\` takes
an \`Idempotency-Key\`: the same key with the same body is carried out once.`;

const describeAccess = (operation: string): string =>
  `Access: ${code(routes.find(({ name }) => name === operation)?.access ?? 'write')}.`;

export const httpPage = (): string =>
  renderApiPage({
    title: 'HTTP API',
    source: 'the OpenAPI document of src/contract/routes/',
    document: buildOpenapiDocument(routes, ''),
    introduction: [
      INTRODUCTION,
      '## Access',
      'Each route belongs to a class. `server.auth: required` demands a credential for all but `own`, `off` for none.',
      table(
        ['Class', 'Credential with `server.auth: auto`'],
        Object.entries(ACCESS).map(([name, text]) => [code(name), text]),
      ),
    ],
    describeAccess,
  });
