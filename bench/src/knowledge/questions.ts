// Questions to pino's manual, written by hand for this bench before any search was run on them. Their words are those
// of a speaker without the manual's terms. A section is relevant when the beginning of its key is named here.

export interface JudgedQuestion {
  readonly question: string;
  readonly relevant: readonly string[];
}

const asked = (question: string, ...relevant: string[]): JudgedQuestion => ({ question, relevant });

export const questions: readonly JudgedQuestion[] = [
  asked(
    'how do I hide passwords in the output',
    'redaction#Redaction',
    'redaction#Path Syntax',
    'api#redact',
  ),
  asked('does masking secrets make it slower', 'redaction#Overhead'),
  asked('is it dangerous to let users choose which fields are masked', 'redaction#Safety'),
  asked('how can I rotate the files when they get too big', 'help#Log rotation', 'transports#pino-roll'),
  asked('the file was moved by logrotate, how do I make it open a new one', 'help#Reopening log files'),
  asked(
    'I want to write to more than one file',
    'help#Saving to multiple files',
    'help#Log to different streams',
    'api#pino.multistream',
  ),
  asked(
    'send errors to one place and everything else to another',
    'help#Log to different streams',
    'api#pino.multistream',
  ),
  asked(
    'what happens if the same key appears twice in one line',
    'help#How Pino handles duplicate keys',
    'child-loggers#Duplicate keys caveat',
  ),
  asked(
    'show the word info instead of the number thirty',
    'help#Log levels as labels instead of numbers',
    'api#level (String)',
    'api#level',
  ),
  asked('funny characters in the windows console', 'help#Unicode and Windows terminal'),
  asked('severity in stackdriver on google', 'help#Mapping Pino Log Levels to Google Cloud'),
  asked('can I see the messages in grafana with kubernetes', 'help#Using Grafana Loki'),
  asked('how do I test that my code logged something', 'help#Testing'),
  asked('fastest way to print to standard out', 'help#Best performance for logging'),
  asked(
    'could I lose lines when it is asynchronous',
    'asynchronous#Caveats',
    'asynchronous#Asynchronous Logging',
  ),
  asked('does it work in a lambda function', 'asynchronous#AWS Lambda'),
  asked(
    'make a child with the id of the request',
    'child-loggers#Child loggers',
    'api#logger.child',
    'api#bindings',
  ),
  asked('are children expensive', 'child-loggers#Cost of child logging'),
  asked(
    'how do I make the output nice to read while developing',
    'pretty#Pretty Printing',
    'transports#pino-pretty',
  ),
  asked('use it together with express', 'web#Pino with Express'),
  asked('integration into nest js', 'web#Pino with Nest'),
  asked('logging in hono', 'web#Pino with Hono'),
  asked('webpack breaks the worker threads', 'bundling#Webpack Plugin', 'bundling#Bundling'),
  asked('bundle everything with es build', 'bundling#Esbuild Plugin', 'bundling#Bundling'),
  asked('send the logs of a web page to my server', 'browser#transmit'),
  asked('turn it off completely in the browser', 'browser#disabled'),
  asked('print the file and the line number of the caller', 'browser#reportCaller'),
  asked('which versions of node are supported', 'lts#Supported Node.js versions', 'lts#Schedule'),
  asked('how long will a major release get security fixes', 'lts#Long Term Support', 'lts#Schedule'),
  asked('write my own transport', 'transports#Writing a Transport'),
  asked('chain several transports one behind the other', 'transports#Creating a transport pipeline'),
  asked('ship logs to elastic search', 'transports#pino-elasticsearch'),
  asked(
    'report to century',
    'transports#pino-sentry',
    'transports#Sentry Native',
    'transports#pino-sentry-transport',
  ),
  asked('post messages into slack', 'transports#pino-slack-webhook'),
  asked('put the lines into a cafka topic', 'transports#pino-kafka'),
  asked('store log lines in my sequel database', 'transports#pino-mysql'),
  asked('add the same extra fields to each line automatically', 'api#mixin', 'api#base'),
  asked('remove the process id and the host name', 'api#base', 'api#bindings'),
  asked('use iso dates instead of milliseconds', 'api#timestamp', 'api#pino.stdTimeFunctions'),
  asked('rename the field that holds the text of the message', 'api#messageKey'),
  asked('put all my fields below one key', 'api#nestedKey'),
  asked('change the arguments before they are logged', 'api#logMethod', 'api#hooks'),
  asked('define a level of my own', 'api#customLevels', 'api#useOnlyCustomLevels'),
  asked('is debug switched on right now', 'api#logger.isLevelEnabled'),
  asked('be told when somebody changes the level', "api#Event: 'level-change'"),
  asked('wait until everything is written before I exit', 'api#logger.flush', 'asynchronous#Caveats'),
  asked('how deep are nested objects written', 'api#depthLimit', 'api#edgeLimit'),
  asked('put a text before every message', 'api#msgPrefix', 'api#options.msgPrefix'),
];
