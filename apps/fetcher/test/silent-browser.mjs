// A browser process whose calls hang: it answers none, and ends when it is closed.
process.on('message', ({ type }) => {
  if (type === 'close') process.exit(0);
});
