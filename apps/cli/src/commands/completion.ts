import { Argument, type Command } from 'commander';
import type { Cli } from '../cli.js';
import { completionScript, type Shell } from '../completion/completion-scripts.js';

const SHELLS = ['bash', 'zsh', 'fish'] as const satisfies readonly Shell[];

const AFTER_HELP = `
Add a line to the file that your shell reads when it starts:
  ~/.bashrc                   source <(trawl completion bash)
  ~/.zshrc, after compinit    source <(trawl completion zsh)
  ~/.config/fish/config.fish  trawl completion fish | source`;

export function addCompletion(program: Command, { terminal }: Cli): void {
  program
    .command('completion')
    .description('Print a script that completes commands and options in your shell')
    .addArgument(new Argument('<shell>', 'your shell').choices(SHELLS))
    .addHelpText('after', AFTER_HELP)
    .action((shell: Shell) => terminal.write(completionScript(program, shell)));
}
