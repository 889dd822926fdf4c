import { toHttpAddress } from './toHttpAddress.ts';

/** Where a control plane takes the sockets of runners. Throws SvcError `config-invalid` as {@link toHttpAddress}. */
export const toSocketAddress = (cloudUrl: string): URL =>
  new URL(`${toHttpAddress(cloudUrl).replace(/^http/, 'ws')}/ws/runner`);
