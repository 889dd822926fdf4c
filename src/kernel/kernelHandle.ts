import type { Kernel } from '../contract/records/changes.ts';

/** What the parts of a runner use of its kernel. */
export type KernelUse = Pick<Kernel, 'submit' | 'send' | 'state' | 'whatIf' | 'onCommit'>;

/**
 * The kernel for parts that are created before it. One circle is inherent in a runner: the kernel
 * is created with its ports, and what a port starts (a session, a write) answers through the
 * kernel. It exists here alone: every part is given this handle, and the kernel is attached when
 * all parts exist. Throws if it is used before that.
 */
export class KernelHandle implements KernelUse {
  #attached: Kernel | undefined;

  attach(kernel: Kernel): void {
    this.#attached = kernel;
  }

  submit: Kernel['submit'] = (submission) => this.#kernel().submit(submission);
  send: Kernel['send'] = (to, event, origin) => this.#kernel().send(to, event, origin);
  state: Kernel['state'] = (id) => this.#kernel().state(id);
  whatIf: Kernel['whatIf'] = (id, event) => this.#kernel().whatIf(id, event);
  onCommit: Kernel['onCommit'] = (listener) => this.#kernel().onCommit(listener);

  #kernel(): Kernel {
    if (!this.#attached) throw new Error('The kernel was used before it was attached');
    return this.#attached;
  }
}
