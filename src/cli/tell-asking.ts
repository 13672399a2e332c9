/** On standard error, since an answer may take a minute: whoever waits sees for whom. */
export const tellAsking = (whom: string): void => void process.stderr.write(`asking ${whom} …\n`);
