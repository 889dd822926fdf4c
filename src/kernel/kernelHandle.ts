import type { Kernel } from './contract.ts';
import type { AnyTables } from './rowChange.ts';

export type KernelUse<Tables extends object = AnyTables> = Pick<
  Kernel<Tables>,
  'submit' | 'send' | 'state' | 'whatIf' | 'onCommit'
>;

/**
 * The kernel for parts created before it. The kernel needs its ports, and what a port starts (a
 * session, a write) answers through the kernel; this handle breaks the cycle. The kernel is
 * attached when all parts exist. Throws if used before that.
 */
export class KernelHandle<Tables extends object = AnyTables> implements KernelUse<Tables> {
  #attached: Kernel<Tables> | undefined;

  attach(kernel: Kernel<Tables>): void {
    this.#attached = kernel;
  }

  submit: Kernel<Tables>['submit'] = (submission) => this.#kernel().submit(submission);
  send: Kernel<Tables>['send'] = (to, event, origin) => this.#kernel().send(to, event, origin);
  state: Kernel<Tables>['state'] = (id) => this.#kernel().state(id);
  whatIf: Kernel<Tables>['whatIf'] = (id, event) => this.#kernel().whatIf(id, event);
  onCommit: Kernel<Tables>['onCommit'] = (listener) => this.#kernel().onCommit(listener);

  #kernel(): Kernel<Tables> {
    if (!this.#attached) throw new Error('The kernel was used before it was attached');
    return this.#attached;
  }
}
