import { hidePassword } from './hide-password.ts';

/**
 * Loaded before everything else, which takes a while: on the command line a password can be seen by all
 * users of the host in the list of processes, until the title is another.
 */
const shown = process.argv.map(hidePassword);
if (shown.some((argument, i) => argument !== process.argv[i])) process.title = shown.join(' ');
