import type { Kernel } from './contract.ts';
import type { AnyTables } from './rowChange.ts';

/** What the parts of a runner use of its kernel. */
export type KernelUse<Tables extends object = AnyTables> = Pick<
  Kernel<Tables>,
  'submit' | 'send' | 'state' | 'whatIf' | 'onCommit'
>;

/**
 * The kernel for parts that are created before it. One cycle is inherent in a runner: the kernel
 * is created with its ports, and what a port starts (a session, a write) answers through the
 * kernel. It exists here alone: every part is given this handle, and the kernel is attached when
 * all parts exist. Throws if it is used before that.
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
