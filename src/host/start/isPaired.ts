import type { Settings } from '../../contract/schema/runner/settings.ts';

/** Whether the configuration names a control plane, and a token for it. */
export const isPaired = ({ url, token }: Pick<Settings['cloud'], 'url' | 'token'>): boolean =>
  url !== '' && token !== '';
