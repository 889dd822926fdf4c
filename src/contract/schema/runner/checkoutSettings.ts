/** How the checkouts of one repository are made ready for agents. */
export interface CheckoutRule {
  /** Slug of the repository; upper and lower case are the same. */
  repo: string;
  /** A script for `/bin/sh -e`; empty = none, left out = that of the repository's own file. */
  setup?: string;
  setupMinutes?: number;
  /** A script for `/bin/sh -e`; empty = none, left out = that of the repository's own file. */
  teardown?: string;
  /** Files of `copyFrom` that each checkout gets. */
  copyFiles?: readonly string[];
  /** Absolute; left out = the folder of the local forge's repository. */
  copyFrom?: string;
  /** Repositories whose commits are fetched as submodules: slugs of the same forge, and `https://` addresses. */
  submodules?: readonly string[];
  /** Files of Git LFS are fetched. */
  lfs?: boolean;
  /** Folders below the agents' HOME that checkouts share; left out = those of the repository's own file. */
  caches?: readonly string[];
}

export interface CheckoutSettings {
  /** Where ranges of ports are taken from; `perCheckout` 0 = none are. */
  ports: { first: number; last: number; perCheckout: number };
  repositories: readonly CheckoutRule[];
}
