import { SvcError } from '../../src/base/errors/errors.ts';
import type { TeamRole } from '../../src/contract/schema/cloud/teamRole.ts';

export interface GroupRoleArgument {
  group: string;
  team: string;
  role: TeamRole;
}

const ROLES: readonly TeamRole[] = ['viewer', 'member', 'admin', 'owner'];

/** The group may contain `=` and `:`. */
const FORM = /^(.{1,256})=([^=:]{1,64}):([a-z]{1,16})$/;

/** `<group>=<team>:<role>`. Throws SvcError `bad-argument`. */
export function parseGroupRole(argument: string): GroupRoleArgument {
  const [, group = '', team = '', word] = FORM.exec(argument) ?? [];
  const role = ROLES.find((one) => one === word);
  if (role === undefined)
    throw new SvcError(
      'bad-argument',
      `--role is "${argument}", but must be <group>=<team>:<role>, such as svc-admins=acme:admin, with the role viewer, member, admin or owner.`,
    );
  return { group, team, role };
}
