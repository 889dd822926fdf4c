/**
 * isomorphic-git, which reads and writes the objects of repositories. Loaded at its first use: it is
 * a tenth of the program, and a start opens no repository.
 */
export const objectLibrary = async () => (await import('isomorphic-git')).default;
