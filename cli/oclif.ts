/** The one copy of oclif for all commands, bundled: as a package it is read from 160 files. */
export { execute } from '@oclif/core';
