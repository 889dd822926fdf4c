/** Permissions of an app that svc uses, in GitHub's words for the API and for people. */
const PERMISSIONS: readonly {
  name: string;
  title: string;
  access: 'read' | 'write';
  /** What does not work without it; null = nothing does. */
  without: string | null;
}[] = [
  { name: 'contents', title: 'Contents', access: 'write', without: null },
  { name: 'pull_requests', title: 'Pull requests', access: 'write', without: null },
  { name: 'checks', title: 'Checks', access: 'read', without: 'results of checks' },
  { name: 'statuses', title: 'Commit statuses', access: 'read', without: 'results of statuses' },
  { name: 'issues', title: 'Issues', access: 'write', without: 'the tracker github-issues' },
];

const grantsAccess = (given: unknown, wanted: 'read' | 'write'): boolean =>
  given === 'write' || given === 'admin' || given === wanted;

/** What an installation lacks of the permissions that svc needs; `permissions`: by GitHub's names. */
export function checkAppPermissions(permissions: unknown): { ok: boolean; detail: string } {
  const lacking = PERMISSIONS.filter(
    ({ name, access }) => !grantsAccess(Object(permissions)[name], access),
  );
  if (lacking.length === 0) return { ok: true, detail: '' };
  const list = lacking
    .map(
      ({ title, access, without }) =>
        `${title} (${access === 'write' ? 'read and write' : 'read'}${without === null ? '' : `, for ${without}`})`,
    )
    .join(', ');
  return {
    ok: lacking.every(({ without }) => without !== null),
    detail: ` The app lacks permissions: ${list}. Give them in the app's settings, then accept them at the installation.`,
  };
}
