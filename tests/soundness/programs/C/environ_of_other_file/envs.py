from os import environ as VARIABLES
