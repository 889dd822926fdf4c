import { SvcError } from '../base/errors/errors.ts';
import type { GitNetwork } from './runGit.ts';
import { isMovedError } from './findMovedAddress.ts';

/** Git's words when a server refuses the login. */
export const REFUSED_LOGIN = /Authentication failed|could not read Username|\b401\b/;

/**
 * Turns git's words into an error that helps; the server's own text is kept, since it names the
 * rule that was broken.
 */
export function explainTransfer(slug: string, { url }: GitNetwork, stderr: string): SvcError {
  const { host } = new URL(url);
  if (/non-fast-forward|fetch first/.test(stderr)) {
    return new SvcError(
      'conflict',
      `The branch has commits on ${host} that the checkout does not have: call scm_clone_repo, run \`git pull --rebase\`, and try again.`,
    );
  }
  if (/protected branch|GH006|pre-receive hook declined/.test(stderr)) {
    return new SvcError(
      'conflict',
      `${host} protects this branch of ${slug}: use a branch of your own. It says: ${stderr}`,
    );
  }
  if (REFUSED_LOGIN.test(stderr)) {
    return new SvcError(
      'config-invalid',
      `${host} does not accept the token for ${slug}: renew it in the configuration of the plugin.`,
    );
  }
  if (/\b403\b|[Pp]ermission .*denied|Write access/.test(stderr)) {
    return new SvcError(
      'forbidden',
      `The token has no permission for this in ${slug} on ${host}: it needs read and write access to the contents.`,
    );
  }
  if (isMovedError(stderr)) {
    return new SvcError(
      'config-invalid',
      `${host} redirects git for ${slug} to another server or more than once, which svc does not follow: use the current name of the repository, and check baseUrl of the plugin.`,
    );
  }
  if (
    /SSL certificate problem|certificate subject name|server certificate verification failed/i.test(
      stderr,
    )
  ) {
    return new SvcError(
      'unreachable',
      `git does not accept the certificate of ${host}: ${stderr}. It must be valid, issued for this host name, and signed by an authority in this machine's certificate store; check baseUrl of the plugin.`,
    );
  }
  if (/not found|\b404\b/i.test(stderr)) {
    return new SvcError(
      'not-found',
      `${host} has no repository ${slug}, or the token may not see it.`,
      { data: { status: 404 } },
    );
  }
  return new SvcError(
    'unreachable',
    `git could not talk to ${host} about ${slug}: ${stderr || 'no message'}`,
  );
}
