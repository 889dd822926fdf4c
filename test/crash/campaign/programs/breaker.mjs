console.log('this does not work');
process.exit(1);
