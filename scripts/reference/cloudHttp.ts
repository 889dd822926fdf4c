import { cloudRoutes } from '../../src/cloud/routes/cloudRoutes.ts';
import type { Who } from '../../src/cloud/routes/cloudRoute.ts';
import { buildCloudOpenapi } from '../../src/cloud/server/buildCloudOpenapi.ts';
import { renderApiPage } from './apiPage.ts';
import { code, table } from './markdown.ts';

/** Who may call a route of each class. */
const WHO: Readonly<Record<Who, string>> = {
  anyone: 'Anyone: it shows nothing of a team, or checks by itself what it is given.',
  person: 'Anyone who is logged in.',
  runner: 'A paired runner, with its token. Such a route reads and changes its own home alone.',
  viewer: 'Every member of the team.',
  member: 'Members of the team with this role, and `admin` and `owner`.',
  admin: 'Members of the team with this role, and `owner`.',
  owner: 'Owners of the team.',
};

const describeAccess = (operation: string): string =>
  `Who: ${code(cloudRoutes.find(({ name }) => name === operation)?.who ?? 'owner')}.`;

export const cloudHttpPage = (): string =>
  renderApiPage({
    title: 'HTTP API of the control plane',
    source: 'the OpenAPI document of src/cloud/routes/',
    document: buildCloudOpenapi(cloudRoutes, ''),
    introduction: [
      '`GET /openapi.json` of a running control plane is the same as an OpenAPI 3.1 document. A credential is an access token of the authorization server under `/auth` (`Authorization: Bearer …`), or the cookie of a login in a browser, which needs the header `X-Svc-Csrf` for a change. Bodies and answers are JSON. Errors are problem documents; [errors.md](errors.md) explains each code.',
      '## Who may call',
      'A team that the caller is not a member of is answered as one that does not exist: 404.',
      table(
        ['Who', 'Meaning'],
        Object.entries(WHO).map(([name, text]) => [code(name), text]),
      ),
    ],
    describeAccess,
  });
